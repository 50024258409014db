import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';

/**
 * The four times at which blocks are mined: 1 and 2 are before the deadlines, 3 is within the grace, 4 is after it. A payment
 * that is mined at none waits for ever.
 */
export type Step = 1 | 2 | 3 | 4;
export type MinedAt = Step | 'never';

/** Kinds of replacements: for the same address with a higher fee, for less or more, or for somebody else. */
export type Replacement = 'same' | 'less' | 'more' | 'elsewhere' | 'elsewhere in a block';

export interface PlannedPayment {
  /** The time before whose blocks it is sent. */
  readonly sentAt: Step;
  readonly minedAt: MinedAt;
  /** Satoshi of its outputs to the request. */
  readonly outputs: readonly bigint[];
  /** It pays the next request, whole, in the same transaction. */
  readonly paysNext: boolean;
  /** No mempool has it: only its block shows it. */
  readonly isUnseen: boolean;
  readonly replaced?: { readonly sentAt: Step; readonly by: Replacement };
  /** Where the node forgets it: when it is sent again. */
  readonly again: Step | 'never';
}

/** All that becomes of one payment request. */
export interface Plan {
  readonly seed: number;
  readonly asked: bigint;
  /** The payer chooses BTC from two assets. */
  readonly chooses: boolean;
  readonly payments: readonly PlannedPayment[];
}

/** Each of the three depths has some. */
const AMOUNTS = [10_000n, 150_000n, 1_000_000n, 4_000_000n, 20_000_000n];
const KINDS = [
  ...['exact', 'exact', 'exact', 'less', 'more', 'two parts', 'two parts', 'outputs', 'both'],
  ...['small', 'nothing', 'unseen', 'twice'],
] as const;
const REPLACEMENTS: readonly Replacement[] = [
  'same',
  'same',
  'less',
  'more',
  'elsewhere',
  'elsewhere in a block',
];

/** @param seed draws it, and nothing else does */
export function planOf(seed: number, random: SeededRandom): Plan {
  const oneOf = <T>(choices: readonly T[]): T => choices[random.whole(0, choices.length - 1)]!;
  const chooses = random.chance(0.25);
  const asked = oneOf(AMOUNTS);
  const part = () => BigInt(random.whole(1, Number(asked) - 1));
  const payment = (outputs: readonly bigint[], sentAt: Step, more: Partial<PlannedPayment> = {}) => {
    const minedAt = oneOf<MinedAt>([sentAt, sentAt, 2, 3, 3, 4, 'never']);
    const planned = { outputs, sentAt, paysNext: false, isUnseen: false, ...more };
    const due = minedAt === 'never' || minedAt >= sentAt ? minedAt : sentAt;
    const last = due === 'never' ? 4 : due;
    const replacedAt = sentAt < last && random.chance(0.35) ? (random.whole(sentAt + 1, last) as Step) : null;
    const replaced = replacedAt === null ? {} : { replaced: { sentAt: replacedAt, by: oneOf(REPLACEMENTS) } };
    return { ...planned, ...replaced, minedAt: due, again: oneOf<MinedAt>([2, 3, 3, 4, 'never']) };
  };
  const early = () => oneOf<Step>([1, 1, 2]);
  const payments = (): PlannedPayment[] => {
    const first = part();
    switch (oneOf(KINDS)) {
      case 'exact':
        return [payment([asked], early())];
      case 'less':
        return [payment([first], early())];
      case 'more':
        return [payment([asked + first], early())];
      case 'two parts':
        return [payment([first], 1), payment([asked - first], oneOf([1, 2, 3]))];
      case 'outputs':
        return [payment([first, asked - first, ...(random.chance(0.3) ? [1n] : [])], early())];
      case 'both':
        return [payment([asked], early(), { paysNext: true })];
      case 'small':
        return [payment([1n], early()), ...(random.chance(0.5) ? [payment([asked], 2)] : [])];
      case 'unseen':
        return [{ ...payment([asked], 1, { isUnseen: true }), minedAt: oneOf<MinedAt>([1, 2, 3]) }];
      case 'twice':
        return [payment([asked], 1), payment([asked], oneOf([1, 2]))];
      case 'nothing':
        return [];
    }
  };
  const late = random.chance(0.3) ? [payment([oneOf([asked, first(asked), 1n])], oneOf<Step>([3, 4]))] : [];
  return { seed, asked, chooses, payments: [...payments(), ...late] };
}

function first(asked: bigint): bigint {
  return asked / 2n;
}

/** In words, for who looks into a difference. */
export function described({ asked, chooses, payments }: Plan): string {
  const each = payments.map(({ outputs, sentAt, minedAt, paysNext, isUnseen, replaced, again }) => {
    const facts = [`${outputs.join('+')} sent at ${sentAt}, mined at ${minedAt}, again at ${again}`];
    if (paysNext) facts.push('pays the next one too');
    if (isUnseen) facts.push('in a block alone');
    if (replaced) facts.push(`replaced at ${replaced.sentAt}: ${replaced.by}`);
    return facts.join(', ');
  });
  return `${asked} asked${chooses ? ' of who chooses' : ''}; ${each.join('; ') || 'nothing'}`;
}
