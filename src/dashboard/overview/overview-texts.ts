import { PAID_WITHIN_SECONDS } from '#contexts/figures/contract/daily-figures.js';
import type { Compared } from './overview.js';
import { COUNTED, DEPOSIT_DAYS, type Attention, type AttentionKind } from './standing.js';

/** `57.1 %`; a dash where there is none. */
export function shownTenths(tenths: number | undefined): string {
  return tenths === undefined ? '–' : `${tenths / 10} %`;
}

/** The change against the span before: `+12.5 %`. Undefined where nothing was before. */
export function changeOf({ now, before }: Compared<bigint>): string | undefined {
  if (before <= 0n) return undefined;
  const tenths = Number(((now - before) * 1000n) / before);
  return `${tenths > 0 ? '+' : ''}${shownTenths(tenths)}`;
}

/** The change of a share, in percentage points: `-1.2 points`. */
export function pointsOf({ now, before }: Compared<number | undefined>): string | undefined {
  if (now === undefined || before === undefined) return undefined;
  return `${now > before ? '+' : ''}${(now - before) / 10} points`;
}

/** The longest time that payments of a part of `paid_within` took: `2 minutes`, `more than a day`. */
export function shownWithin(part: string): string {
  const seconds = PAID_WITHIN_SECONDS.find((most) => String(most) === part);
  if (seconds === undefined) return 'more than a day';
  const [count, unit] =
    seconds < 60 ? [seconds, 'second'] : seconds < 3600 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

interface AttentionText {
  readonly tone: 'bad' | 'care';
  readonly word: string;
  readonly text: (shown: string, isOne: boolean, network: string) => string;
  readonly href: (attention: Attention) => string;
}

const ofOne = (path: string) => (attention: Attention) =>
  attention.number === 1 && attention.about !== null ? `${path}/${attention.about}` : path;

/** The most urgent first. */
const ATTENTION: Readonly<Record<AttentionKind, AttentionText>> = {
  webhook_failing: {
    tone: 'bad',
    word: 'Failing',
    text: (shown, isOne) =>
      isOne
        ? 'A webhook has acknowledged nothing for days'
        : `${shown} webhooks have acknowledged nothing for days`,
    href: ofOne('/app/webhooks'),
  },
  held: {
    tone: 'bad',
    word: 'Held',
    text: (shown, isOne) =>
      isOne
        ? 'Money at a deposit address is held: booked money has disappeared from the chain'
        : `Money at ${shown} deposit addresses is held: booked money has disappeared from the chain`,
    href: ofOne('/app/payments'),
  },
  float: {
    tone: 'bad',
    word: 'Float',
    text: (_, __, network) => `The refund float on ${network} does not cover the refunds that wait`,
    href: () => '/app/refunds?status=pending',
  },
  gas: {
    tone: 'care',
    word: 'Gas',
    text: (_, __, network) => `The refund float on ${network} has coin for the gas of less than five refunds`,
    href: () => '/app/refunds',
  },
  refund_approval: {
    tone: 'care',
    word: 'Approve',
    text: (shown, isOne) =>
      isOne ? 'A refund waits for your approval' : `${shown} refunds wait for your approval`,
    href: () => '/app/refunds?status=pending',
  },
  refund_payer: {
    tone: 'care',
    word: 'Unclaimed',
    text: (shown, isOne) =>
      isOne
        ? 'A refund waits for the payer to claim it'
        : `${shown} refunds wait for their payers to claim them`,
    href: () => '/app/refunds?status=pending',
  },
  deposit: {
    tone: 'care',
    word: 'Not asked for',
    text: (shown, isOne) =>
      isOne
        ? `Money came late or beside a payment in the last ${DEPOSIT_DAYS} days, and was not refunded`
        : `Money came late or beside ${shown} payments in the last ${DEPOSIT_DAYS} days, and was not refunded`,
    href: ofOne('/app/payments'),
  },
};

export interface ShownAttention extends Pick<AttentionText, 'tone' | 'word'> {
  readonly text: string;
  readonly href: string;
}

/** @param networkName for people */
export function shownAttention(
  found: readonly Attention[],
  networkName: (network: string) => string,
): ShownAttention[] {
  const kinds = Object.keys(ATTENTION) as AttentionKind[];
  const inOrder = kinds.flatMap((kind) => found.filter((each) => each.kind === kind));
  return inOrder.map((attention) => {
    const { tone, word, text, href } = ATTENTION[attention.kind];
    const shown = attention.number < COUNTED ? attention.number.toLocaleString('en') : `${COUNTED} or more`;
    const network = attention.about === null ? '' : networkName(attention.about);
    return { tone, word, text: text(shown, attention.number === 1, network), href: href(attention) };
  });
}
