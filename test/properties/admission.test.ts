// What holds for the arithmetic of admission whatever the figures are.
import { describe, expect, it } from '@jest/globals';
import {
  arrivalsSince,
  type DecisionMoment,
  DrainTracker,
  decideNode,
  delayMs,
  Ewma,
  guardSettings,
  LoadEstimate,
  type NodeStress,
  retryAfterMs,
  type SignalReadings,
  StressStates,
  shareBetween,
  shedPlace,
  shedShare,
  type Verdict,
  workNow,
} from '@weir/shared';
import { DEFAULT_SETTINGS, settingsWith } from '@weir/shared/testing';
import fc from 'fast-check';

/** A percentage or a delay, or something that is neither. */
const anyNumber = fc.oneof(
  fc.double({ min: 0, max: 1_000, noNaN: true }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 1e308, 5e-324),
);
const nonNegative = fc.double({ min: 0, max: 1e12, noNaN: true });
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const reading = fc.record({
  fast: anyNumber,
  slow: anyNumber,
  quality: fc.constantFrom('ok' as const, 'warming' as const, 'unavailable' as const),
});
const readings: fc.Arbitrary<SignalReadings> = fc.record(
  { cpu: reading, heap: reading, io: reading, event_loop: reading },
  { requiredKeys: [] },
);

function isShare(value: number): boolean {
  return Number.isFinite(value) && value >= 0 && value <= 1;
}

function momentOf(settings = DEFAULT_SETTINGS, epoch = 1): DecisionMoment {
  return { nowMs: 0, settings, shed: { epoch, salt: 7 } };
}

function stressed(stress: number): NodeStress {
  const of = { stress, culprit: 'cpu', value: 99, limit: 90, waitMs: 1_000 } as const;
  return { ...of, known: true, would: of };
}

function decide(stress: number, digest: number, moment = momentOf()): Verdict {
  const subject = { index: 'logs-a', shard: 0, digest: () => digest };
  return decideNode('primary', subject, { name: 'dn1', stress: stressed(stress) }, moment);
}

describe('I10: nothing becomes NaN, and nothing that is not finite refuses', () => {
  it('stress is a share for any readings, delays and orders of events', () => {
    const step = fc.record({
      readings,
      delay: fc.option(anyNumber, { nil: undefined }),
      elapsed: nonNegative,
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, corroborate) => {
        const states = new StressStates();
        const settings = settingsWith({ corroborate });
        let nowMs = 0;
        for (const { readings: given, delay, elapsed } of steps) {
          nowMs += elapsed;
          states.observe(given, nowMs, settings);
          for (const role of ['primary', 'replica', 'coordinator'] as const) {
            const { stress, value, limit, waitMs, would } = states.stressOf(role, delay, nowMs, settings);
            expect(isShare(stress) && isShare(would.stress) && would.stress >= stress).toBe(true);
            expect([value, limit].every(Number.isFinite) && waitMs >= 0).toBe(true);
          }
        }
      }),
    );
  });

  it('a share between two bounds is one, also where the bounds meet or are swapped', () => {
    fc.assert(
      fc.property(nonNegative, nonNegative, nonNegative, (value, low, high) =>
        isShare(shareBetween(value, low, high)),
      ),
    );
  });

  it('an estimate of load is finite and not negative, whatever was published and sent', () => {
    type Event = (estimate: LoadEstimate, nowMs: number) => void;
    const sample = fc.record({
      work: nonNegative,
      drain_per_s: fc.option(nonNegative),
      oldest_waiting_ms: nonNegative,
      accepted_total: nonNegative,
    });
    const event: fc.Arbitrary<Event> = fc.oneof(
      sample.map(
        (said): Event =>
          (estimate, nowMs) =>
            estimate.apply(said, nowMs),
      ),
      nonNegative.map(
        (work): Event =>
          (estimate) =>
            estimate.noteAdmitted(work),
      ),
      nonNegative.map(
        (work): Event =>
          (estimate) =>
            estimate.noteRefused(work),
      ),
      anyNumber.map(
        (delay): Event =>
          (estimate, nowMs) =>
            estimate.correct(delay, nowMs),
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(event, nonNegative), { maxLength: 20 }), (events) => {
        const estimate = new LoadEstimate();
        let nowMs = 0;
        for (const [happen, elapsed] of events) {
          nowMs += elapsed / 1e6;
          happen(estimate, nowMs);
          expect(estimate.delayMs(nowMs) ?? 0).toBeGreaterThanOrEqual(0);
          expect(estimate.scale).toBeGreaterThanOrEqual(1);
        }
      }),
    );
  });

  it('arrivals are never less than what one sent oneself, and work is never below 0', () => {
    fc.assert(
      fc.property(
        nonNegative,
        nonNegative,
        nonNegative,
        nonNegative,
        nonNegative,
        (all, own, prior, sent, ageS) => {
          const arrivals = arrivalsSince(all, own, prior, sent, ageS);
          expect(arrivals).toBeGreaterThanOrEqual(sent);
          expect(workNow(sent, 0, all, ageS)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  it('averages stay between the smallest and the largest reading', () => {
    const samples = fc.array(fc.tuple(fc.double({ min: 0, max: 100, noNaN: true }), nonNegative), {
      minLength: 1,
    });
    fc.assert(
      fc.property(samples, (given) => {
        const average = new Ewma(2_000);
        let nowMs = 0;
        for (const [value, elapsed] of given) {
          nowMs += elapsed;
          average.observe(value, nowMs);
        }
        const values = given.map(([value]) => value);
        expect(average.value()).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
        expect(average.value()).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
      }),
    );
  });

  it('a wait is within its bounds for any stress and digest', () => {
    fc.assert(
      fc.property(anyNumber, uint32, (waitMs, digest) => {
        const wait = retryAfterMs(waitMs, digest, DEFAULT_SETTINGS);
        expect(wait).toBeGreaterThanOrEqual(1_000);
        expect(wait).toBeLessThanOrEqual(60_000);
      }),
    );
  });
});

describe('shedding', () => {
  it('a rising stress only adds refusals', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, uint32, (one, other, digest) => {
        const [lower, higher] = one < other ? [one, other] : [other, one];
        if (decide(lower, digest).kind === 'refuse') expect(decide(higher, digest).kind).toBe('refuse');
      }),
    );
  });

  it('a retry of the same bytes meets the same verdict within an epoch', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), uint32, (stress, digest) => {
        expect(decide(stress, digest).kind).toBe(decide(stress, digest).kind);
      }),
    );
  });

  it('I12: no stress sheds more than its cap; what is not finite sheds nothing', () => {
    fc.assert(
      fc.property(anyNumber, fc.double({ min: 0, max: 1, noNaN: true }), (stress, cap) => {
        const share = shedShare(stress, cap);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(cap);
        if (!Number.isFinite(stress)) expect(share).toBe(0);
      }),
    );
  });

  it('I12: a request with its place above 95 % is admitted by any limit, in some epoch soon', () => {
    fc.assert(
      fc.property(uint32, (digest) => {
        const epochs = Array.from({ length: 400 }, (_, epoch) => momentOf(DEFAULT_SETTINGS, epoch));
        expect(epochs.some((moment) => decide(1, digest, moment).kind === 'admit')).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('a place is in [0, 1) for any key', () => {
    fc.assert(
      fc.property(uint32, fc.string(), fc.nat(1_024), uint32, uint32, (digest, index, shard, epoch, salt) => {
        const place = shedPlace(digest, index, shard, { epoch, salt });
        expect(place).toBeGreaterThanOrEqual(0);
        expect(place).toBeLessThan(1);
      }),
    );
  });
});

describe('gate and guard', () => {
  it('with the same figures whatever the guard refuses the gate refuses too', () => {
    const delay = fc.double({ min: 0, max: 5_000, noNaN: true });
    const percent = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(delay, percent, (delayed, cpu) => {
        const states = new StressStates();
        states.observe({ cpu: { fast: cpu, slow: cpu, quality: 'ok' } }, 0, DEFAULT_SETTINGS);
        const gate = states.stressOf('primary', delayed, 0, DEFAULT_SETTINGS);
        const guard = states.guardStressOf('primary', delayed, 0, DEFAULT_SETTINGS);
        expect(guard.stress).toBeLessThanOrEqual(gate.stress);
      }),
    );
  });

  it('the limits of a guard keep their order', () => {
    const { primary, replica } = guardSettings(DEFAULT_SETTINGS).admission.signals.queue.limits;
    expect(primary.soft).toBeLessThanOrEqual(primary.hard);
    expect(primary.soft).toBeLessThanOrEqual(replica.soft);
    expect(primary.hard).toBeLessThanOrEqual(replica.hard);
  });
});

describe('I7: work that came is gone when it is done', () => {
  it('after any interleaving the work at a node is 0, and the delay with it', () => {
    const work = fc.double({ min: 0.001, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(work, fc.nat(100)), { maxLength: 30 }),
        fc.infiniteStream(fc.nat(29)),
        (given, picks) => {
          const tracker = new DrainTracker();
          let nowMs = 0;
          const tickets = given.map(([amount, elapsed]) => {
            nowMs += elapsed;
            return tracker.arrive(amount, nowMs);
          });
          while (tickets.length > 0) {
            const [ticket] = tickets.splice((picks.next().value ?? 0) % tickets.length, 1);
            nowMs += 1;
            if (ticket !== undefined) tracker.complete(ticket, nowMs);
          }
          expect(tracker.work).toBe(0);
          expect(delayMs(tracker.work, tracker.drainPerS(nowMs), tracker.oldestWaitingMs(nowMs))).toBe(0);
        },
      ),
    );
  });
});
