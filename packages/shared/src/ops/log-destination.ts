// Where log lines go: a file descriptor that may be slow, stuck or closed without ever holding up or filling the process.
import { type DestinationStream, destination } from 'pino';
import type { Clock, Timers } from './clock.ts';
import { redactUrlsIn } from './redact.ts';

type Stream = ReturnType<typeof destination>;

/** Lines nobody has read yet are kept up to this many bytes; what comes on top is dropped and counted. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const REPORT_PERIOD_MS = 1_000;
const STDOUT = 1;
const STDERR = 2;

/** Escapes what JSON leaves raw and a terminal would obey or break a line at: DEL, C1 controls, line separators. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** What the destination has to say of itself. */
export type LogNews = {
  /** Lines move again after some were dropped; told at most once a second. */
  dropped(lines: number, total: number): void;
  /** The descriptor failed; lines go to stderr from here. */
  failed(code: string): void;
};

export class LogDestination implements DestinationStream {
  readonly #clock: Clock;
  readonly #timers: Timers;
  #stream: Stream;
  #fallenBack = false;
  #closed = false;
  #unwritten = false;
  #dropped = 0;
  #reported = 0;
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #onDrained: (() => void) | undefined;
  #news: LogNews | undefined;

  constructor(fd: number, clock: Clock, timers: Timers) {
    this.#clock = clock;
    this.#timers = timers;
    this.#stream = this.#open(fd);
  }

  /** Lines dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Who hears of drops and failures; the logger that writes here, so it comes after the constructor. */
  tell(news: LogNews): void {
    this.#news = news;
  }

  write(line: string): void {
    if (this.#closed) return;
    this.#unwritten = true;
    this.#stream.write(redactUrlsIn(line).replace(UNSAFE, escapeCharacter));
  }

  /** Waits until everything is written, at most `budgetMs`; then nothing is written any more, not even at exit. */
  async close(budgetMs: number): Promise<void> {
    if (this.#unwritten) {
      await new Promise<void>((resolve) => {
        const cancel = this.#timers.after(budgetMs, resolve);
        this.#onDrained = () => {
          cancel();
          resolve();
        };
      });
    }
    this.#closed = true;
    // Pino flushes at exit, which would wait for ever for a reader who never comes.
    this.#stream.flushSync = () => {};
  }

  #open(fd: number): Stream {
    // Merely touching it makes a pipe non-blocking: a write to a full one then fails and is tried again, where it would otherwise hold a
    // thread of libuv's pool for good and with it the exit of the process.
    if (fd === STDOUT) void process.stdout.writable;
    if (fd === STDERR) void process.stderr.writable;
    const stream = destination({
      dest: fd,
      sync: false,
      maxLength: MAX_BUFFERED_BYTES,
      retryEAGAIN: () => !this.#closed,
    });
    stream.on('drop', () => {
      this.#dropped += 1;
    });
    stream.on('write', () => {
      if (this.#clock.nowMs() - this.#reportedAtMs >= REPORT_PERIOD_MS)
        queueMicrotask(() => this.#tellDropped());
    });
    stream.on('drain', () => this.#drained());
    stream.on('error', (error: NodeJS.ErrnoException) => this.#fallBack(stream, fd, error));
    return stream;
  }

  #drained(): void {
    this.#unwritten = false;
    this.#tellDropped();
    if (!this.#unwritten) this.#onDrained?.();
  }

  #tellDropped(): void {
    const dropped = this.#dropped;
    if (dropped === this.#reported || this.#closed) return;
    this.#news?.dropped(dropped - this.#reported, dropped);
    if (this.#dropped > dropped) {
      // There was no room for the report either: it does not count, and is due again at the next write.
      this.#dropped = dropped;
      return;
    }
    this.#reported = dropped;
    this.#reportedAtMs = this.#clock.nowMs();
  }

  #fallBack(from: Stream, fd: number, error: NodeJS.ErrnoException): void {
    if (this.#closed || this.#fallenBack || from !== this.#stream || fd === STDERR) return;
    this.#fallenBack = true;
    this.#stream = this.#open(STDERR);
    this.#news?.failed(error.code ?? error.message);
  }
}
