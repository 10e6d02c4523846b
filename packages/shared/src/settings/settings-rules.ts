// Which settings must not contradict each other, whoever set them: soft ≤ hard, replica limits ≥ primary limits (I4), and the like.
import { SIGNALS, type SignalName } from '../admission/signals.ts';
import { limitKey, rolesOf } from './signal-settings.ts';

/** `smaller` × `factor` must not be above `larger`. */
export type SettingsRule = { readonly smaller: string; readonly larger: string; readonly factor: number };

/** In an order in which raising the larger value mends one rule without breaking one before it. */
export const SETTINGS_RULES: readonly SettingsRule[] = [
  ...SIGNALS.flatMap(rulesOfSignal),
  { smaller: 'weir.stats.interval', larger: 'weir.admission.stats_ttl', factor: 2 },
  { smaller: 'weir.retry_after.min', larger: 'weir.retry_after.max', factor: 1 },
];

function rulesOfSignal(signal: SignalName): readonly SettingsRule[] {
  const key = (role: 'primary' | 'replica' | 'coordinator', edge: 'soft' | 'hard') =>
    limitKey(signal, role, edge);
  const order = (smaller: string, larger: string): SettingsRule => ({ smaller, larger, factor: 1 });
  return [
    order(key('primary', 'soft'), key('primary', 'hard')),
    order(key('primary', 'soft'), key('replica', 'soft')),
    order(key('primary', 'hard'), key('replica', 'hard')),
    order(key('replica', 'soft'), key('replica', 'hard')),
    ...(rolesOf(signal).includes('coordinator')
      ? [order(key('coordinator', 'soft'), key('coordinator', 'hard'))]
      : []),
  ];
}

type Valued = { readonly text: string; readonly value: unknown };

/** The first rule that is broken, in words with both keys and both values; undefined when all hold. */
export function brokenRule(settingAt: (key: string) => Valued): string | undefined {
  for (const rule of SETTINGS_RULES) {
    const [smaller, larger] = [settingAt(rule.smaller), settingAt(rule.larger)];
    if (Number(smaller.value) * rule.factor > Number(larger.value))
      return describeBroken(rule, smaller.text, larger.text);
  }
  return undefined;
}

export function describeBroken({ smaller, larger, factor }: SettingsRule, low: string, high: string): string {
  const times = factor === 1 ? '' : `${factor} × `;
  return `setting [${larger}] is [${high}] and must not be below ${times}[${smaller}], which is [${low}]`;
}
