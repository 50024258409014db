import { PAID_WITHIN_SECONDS } from '#contexts/analytics/contract/daily-analytics.js';
import { type TranslatedPhrase, t, type Word } from '#shared/web/dashboard/words/text.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import type { WithPreviousPeriod } from './overview.js';
import { type AttentionItem, type AttentionKind, MAX_COUNTED_CASES } from './overview-queries.js';

/** Formats tenths of a percent, such as `57.1 %`. Undefined becomes a dash. */
export function formatPercentTenths(tenths: number | undefined): string {
  return tenths === undefined ? '–' : `${tenths / 10} %`;
}

/** Formats the relative change from the previous period, such as `+12.5 %`. Undefined if that period had no volume. */
export function formatChange({ now, before }: WithPreviousPeriod<bigint>): string | undefined {
  if (before <= 0n) return undefined;
  const tenths = Number(((now - before) * 1000n) / before);
  return `${tenths > 0 ? '+' : ''}${formatPercentTenths(tenths)}`;
}

/** Formats the change of a share in percentage points, such as `-1.2 points`. */
export function formatPointsChange({
  now,
  before,
}: WithPreviousPeriod<number | undefined>): TranslatedPhrase | undefined {
  if (now === undefined || before === undefined) return undefined;
  return t('{change} points', { change: `${now > before ? '+' : ''}${(now - before) / 10}` });
}

/** Formats the upper bound of a `paid_within` bucket, such as `2 minutes` or `more than a day`. */
export function formatPaidWithin(part: string, language: PageLanguage): string | TranslatedPhrase {
  const seconds = PAID_WITHIN_SECONDS.find((most) => String(most) === part);
  if (seconds === undefined) return t('more than a day');
  const [count, unit] =
    seconds < 60 ? [seconds, 'second'] : seconds < 3600 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

interface AttentionText {
  readonly tone: 'bad' | 'care';
  readonly word: Word;
  readonly text: (count: number | TranslatedPhrase, network: string) => TranslatedPhrase;
  readonly href: (attention: AttentionItem) => string;
  /** Label of the button that leads to `href`. */
  readonly action: Word;
  /** Default: the same. */
  readonly actionForSeveral?: Word;
}

/** The page of the object if it is the only one, else its list. */
const pageOfOne =
  (path: string, list = path): AttentionText['href'] =>
  ({ number, about }) =>
    number === 1 && about !== null ? `${path}/${about}` : list;

/** No list contains only these payments, so several are handled one after the other. */
const PAYMENT_LINK = {
  href: ({ about }) => (about === null ? '/app/payments' : `/app/payments/${about}`),
  action: 'View the payment',
  actionForSeveral: 'View the latest payment',
} satisfies Partial<AttentionText>;

const PENDING_REFUNDS = '/app/refunds?status=pending';

/** Texts of problems and open tasks, most urgent first. */
const ATTENTION_TEXTS: Readonly<Record<AttentionKind, AttentionText>> = {
  webhook_failing: {
    tone: 'bad',
    word: 'Failing',
    text: (count) =>
      t('1 webhook failing for 5 days|{count} webhooks failing for 5 days', {
        count,
      }),
    href: pageOfOne('/app/webhooks'),
    action: 'Check the webhook',
    actionForSeveral: 'View webhooks',
  },
  held: {
    tone: 'bad',
    word: 'On hold',
    text: (count) =>
      t(
        'Funds at 1 deposit address are on hold: a recorded payment disappeared from the chain|Funds at {count} deposit addresses are on hold: recorded payments disappeared from the chain',
        { count },
      ),
    ...PAYMENT_LINK,
  },
  float: {
    tone: 'bad',
    word: 'Float',
    text: (_, network) => t('The refund float on {network} does not cover the pending refunds', { network }),
    href: () => PENDING_REFUNDS,
    action: 'View refunds',
  },
  gas: {
    tone: 'care',
    word: 'Gas',
    text: (_, network) => t('The refund float on {network} has gas for fewer than five refunds', { network }),
    href: () => '/app/refunds',
    action: 'View refunds',
  },
  refund_approval: {
    tone: 'care',
    word: 'Approve',
    text: (count) => t('1 refund awaiting approval|{count} refunds awaiting approval', { count }),
    href: pageOfOne('/app/refunds', PENDING_REFUNDS),
    action: 'Review',
  },
  refund_payer: {
    tone: 'care',
    word: 'Unclaimed',
    text: (count) =>
      t('1 refund awaiting the payer’s address|{count} refunds awaiting the payer’s address', {
        count,
      }),
    href: pageOfOne('/app/refunds', PENDING_REFUNDS),
    action: 'View the refund',
    actionForSeveral: 'View refunds',
  },
  underpaid: {
    tone: 'care',
    word: 'Underpaid',
    text: (count) =>
      t(
        '1 underpaid payment: accept it, ask for the remainder, or refund it|{count} underpaid payments: accept them, ask for the remainder, or refund them',
        {
          count,
        },
      ),
    ...PAYMENT_LINK,
  },
  overpaid: {
    tone: 'care',
    word: 'Overpaid',
    text: (count) =>
      t('1 overpaid payment: refund the excess|{count} overpaid payments: refund the excess', { count }),
    href: pageOfOne('/app/payments', '/app/payments?status=overpaid'),
    action: 'View the payment',
    actionForSeveral: 'View payments',
  },
  deposit: {
    tone: 'care',
    word: 'Unexpected',
    text: (count) =>
      t('1 unexpected payment not refunded|{count} unexpected payments not refunded', { count }),
    ...PAYMENT_LINK,
  },
};

export interface AttentionDisplay extends Pick<AttentionText, 'tone' | 'word' | 'action'> {
  readonly text: TranslatedPhrase;
  readonly href: string;
}

export function describeAttention(
  found: readonly AttentionItem[],
  networkName: (network: string) => string,
): AttentionDisplay[] {
  const kinds = Object.keys(ATTENTION_TEXTS) as AttentionKind[];
  const inOrder = kinds.flatMap((kind) =>
    found.filter((each) => each.kind === kind).map((attention) => ({ kind, attention })),
  );
  return inOrder.map(({ kind, attention }) => {
    const { tone, word, text, href, action, actionForSeveral = action } = ATTENTION_TEXTS[kind];
    const { number } = attention;
    const count = number < MAX_COUNTED_CASES ? number : t('{most} or more', { most: MAX_COUNTED_CASES });
    const network = attention.about === null ? '' : networkName(attention.about);
    return {
      ...{ tone, word, text: text(count, network), href: href(attention) },
      action: number === 1 ? action : actionForSeveral,
    };
  });
}
