// Plays a golden script: one line is a setting, an event at a time, or a question with the verdict it must get.
//   set cpu.primary 95/95
//   0s    dn1 publishes cpu 97 work 36 drain 80
//   1s    shard on dn1 with dn2 dn3 : refuses 95% primary_stressed cpu at dn1
// A share is measured over many requests; `admits` and `refuses all` hold for each of them.
import { expect, it } from '@jest/globals';
import type { SignalReading, Verdict } from '@weir/shared';
import { changed, milliseconds, signalOf } from './golden-settings.ts';
import { type AveragedSignalName, GoldenWorld, type LoadFigures, type ScriptedNode } from './golden-world.ts';

const REQUESTS = 6_000;
const SHARE_WITHIN_POINTS = 2;

/** A test whose body is a script. */
export function golden(title: string, script: string): void {
  it(title, () => {
    const world = new GoldenWorld();
    const startMs = world.clock.nowMs();
    for (const line of script.split('\n').map((text) => text.trim())) {
      if (line !== '' && !line.startsWith('#')) playLine(world, line, startMs);
    }
  });
}

function playLine(world: GoldenWorld, line: string, startMs: number): void {
  const setting = /^(?:(\S+)\s+)?set (\S+) (\S+)$/.exec(line);
  const timed = /^(\S+)\s+(.*)$/.exec(line);
  const time = setting === null ? timed?.[1] : setting[1];
  if (time !== undefined) world.clock.advance(startMs + milliseconds(time) - world.clock.nowMs());
  if (setting !== null) {
    world.settings = changed(world.settings, setting[2] ?? '', setting[3] ?? '');
    return;
  }
  const [event, expected] = (timed?.[2] ?? '').split(' : ').map((part) => part.trim());
  if (expected === undefined) playEvent(world, event ?? '', line);
  else ask(world, event ?? '', expected, line);
}

const EVENTS: readonly [RegExp, (world: GoldenWorld, match: RegExpExecArray) => void][] = [
  [/^(dn\d) publishes (.*)$/, (world, [, name, what]) => publish(world, world.node(name ?? ''), what ?? '')],
  [
    /^(dn\d) samples (\w+) ([\d.]+)$/,
    (world, [, name, signal, percent]) => {
      const node = world.node(name ?? '');
      const averaged = averagedOf(signal);
      node.say({ [averaged]: node.average(averaged, Number(percent), world.clock.nowMs()) }, {});
      world.publish(node);
    },
  ],
  [/^(dn\d) restarts$/, (world, [, name]) => world.node(name ?? '').restart()],
  [/^(dn\d) is heard again$/, (world, [, name]) => world.publish(world.node(name ?? ''))],
  [
    /^(dn\d) is found in the snapshot with (.*)$/,
    (world, [, name, what]) => {
      const node = world.node(name ?? '');
      say(node, what ?? '');
      world.view.introduce(node.stats, world.clock.nowMs());
    },
  ],
  [
    /^coordinator samples (.*)$/,
    (world, [, what]) => {
      const { signals, load } = figuresOf(what ?? '');
      world.own.observe(signals, world.clock.nowMs(), world.settings);
      world.ownDelayMs = load.oldest_waiting_ms;
    },
  ],
  [
    /^coordinator sends (\d+) to (dn\d)$/,
    (world, [, work, name]) => {
      for (let sent = 0; sent < Number(work); sent++) world.view.noteAdmitted(`id-${name}`, 1);
    },
  ],
];

function playEvent(world: GoldenWorld, event: string, line: string): void {
  for (const [pattern, play] of EVENTS) {
    const match = pattern.exec(event);
    if (match !== null) {
      play(world, match);
      return;
    }
  }
  throw new Error(`not understood: ${line}`);
}

function publish(world: GoldenWorld, node: ScriptedNode, what: string): void {
  say(node, what);
  world.publish(node);
}

function say(node: ScriptedNode, what: string): void {
  const { signals, load } = figuresOf(what);
  node.say(signals, load);
}

type Figures = {
  readonly signals: { [signal in AveragedSignalName]?: SignalReading };
  readonly load: Partial<LoadFigures>;
};

/** Reads `cpu 97 heap warming work 36 drain unknown oldest 450`. */
function figuresOf(text: string): Figures {
  const signals: { [signal in AveragedSignalName]?: SignalReading } = {};
  let load: Partial<LoadFigures> = {};
  const words = text.split(/\s+/);
  for (let at = 0; at + 1 < words.length; at += 2) {
    const value = words[at + 1] ?? '';
    if (words[at] === 'work') load = { ...load, work: Number(value) };
    else if (words[at] === 'drain')
      load = { ...load, drain_per_s: value === 'unknown' ? null : Number(value) };
    else if (words[at] === 'oldest') load = { ...load, oldest_waiting_ms: Number(value) };
    else signals[averagedOf(words[at])] = readingOf(value);
  }
  return { signals, load };
}

function readingOf(value: string): SignalReading {
  if (value === 'warming' || value === 'unavailable') return { fast: 100, slow: 100, quality: value };
  return { fast: Number(value), slow: Number(value), quality: 'ok' };
}

function averagedOf(text: string | undefined): AveragedSignalName {
  const signal = signalOf(text);
  if (signal === 'queue') throw new Error('the queue is given as work, drain and oldest');
  return signal;
}

function ask(world: GoldenWorld, question: string, expected: string, line: string): void {
  const shard = /^shard on (dn\d)(?: with ((?:dn\d ?)+))?$/.exec(question);
  const guard = /^guard of (dn\d) for (primary|replica)$/.exec(question);
  const replicas = shard?.[2]?.trim().split(' ') ?? [];
  const role = guard?.[2] === 'replica' ? 'replica' : 'primary';
  if (shard === null && guard === null) throw new Error(`not understood: ${line}`);
  const verdicts = Array.from({ length: REQUESTS }, (_, request) => {
    const digest = Math.imul(request + 1, 0x9e3779b1) >>> 0;
    return shard === null
      ? world.guard(guard?.[1] ?? '', role, digest)
      : world.gate(shard[1] ?? '', replicas, digest);
  });
  expect(`${line.split(' : ')[0]} : ${said(verdicts, expected)}`).toBe(
    `${line.split(' : ')[0]} : ${expected}`,
  );
}

type Refusal = Exclude<Verdict, { readonly kind: 'admit' }>;

/** The verdicts in the words of a script; a share near the expected one is written as the expected one. */
function said(verdicts: readonly Verdict[], expected: string): string {
  const refusals = verdicts.filter((verdict): verdict is Refusal => verdict.kind !== 'admit');
  const first = refusals[0];
  if (first === undefined) {
    return verdicts.every((verdict) => verdict.kind === 'admit' && verdict.unknown)
      ? 'admits as unknown'
      : 'admits';
  }
  const { reason, signal, node } = first.evidence;
  const isSame = (refusal: Refusal) => refusal.kind === first.kind && refusal.evidence.reason === reason;
  const others = refusals.filter((refusal) => !isSame(refusal)).length;
  const percent = (100 * (refusals.length - others)) / verdicts.length;
  const wanted = Number(/([\d.]+)%/.exec(expected)?.[1] ?? Number.NaN);
  const near = Math.abs(percent - wanted) <= SHARE_WITHIN_POINTS ? wanted : percent;
  const verb = first.kind === 'refuse' ? 'refuses' : 'would refuse';
  const share = percent === 100 ? 'all' : `${near}%`;
  return `${verb} ${share} ${reason} ${signal} at ${node}${others === 0 ? '' : ` and ${others} otherwise`}`;
}
