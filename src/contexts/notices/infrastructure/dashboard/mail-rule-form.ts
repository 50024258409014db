import type { Asset } from '#shared/kernel/asset.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { editableAmount } from '#shared/kernel/typed-amount.js';
import {
  TIME_ZONE,
  UNSHOWN,
  type FieldOption,
  type FormFields,
  type Typed,
} from '#shared/web/dashboard/form-fields.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { entriesOf } from '#shared/platform/http/dashboard/form-body.js';
import {
  EVERY_MINUTES,
  MAX_RECIPIENTS,
  RULE_KINDS,
  type AskedRule,
  type EveryMinutes,
  type RuleKind,
} from '../../domain/mail-rule.js';
import { KIND_WORDS } from '../../domain/mail-words.js';
import type { ShownRule } from '../persistence/mail-rule-queries.js';

const HINTS = {
  completed: 'Paid in full, overpaid, or short within your tolerance.',
  underpaid: 'The payment has ended and less was received.',
  deposit:
    'Money at a payment’s address that is no part of it: late, after the outcome, or in another asset.',
  refund: 'Each status of a refund.',
  failing_webhook: 'A webhook of the account that has only failed for five days.',
  low_float: 'Less is free in the float than you name below.',
  weekly_report: 'On Monday morning, with the figures of the week before.',
  monthly_report: 'On the first morning of a month, with the figures of the month before.',
} as const satisfies Record<RuleKind, Word>;

const PAUSES = { 5: '5 minutes', 60: 'an hour', 1440: 'a day' } as const satisfies Record<EveryMinutes, Word>;

export const RULE = {
  kinds: {
    kind: 'ticks',
    label: 'Mail on',
    options: RULE_KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind], hint: HINTS[kind] })),
  },
  ...(Object.fromEntries(RULE_KINDS.map((kind) => [kind, UNSHOWN])) as Record<RuleKind, typeof UNSHOWN>),
  recipients: {
    kind: 'lines',
    label: 'Mail to',
    hint: t(
      'At most {most} addresses, one a line. People of your team get mails at once; any other address first confirms by a link.',
      { most: MAX_RECIPIENTS },
    ),
    required: true,
  },
  every_minutes: {
    kind: 'choice',
    label: 'At most one mail of events in',
    options: EVERY_MINUTES.map((minutes) => ({ value: String(minutes), label: PAUSES[minutes] })),
  },
  time_zone: {
    ...TIME_ZONE,
    hint: 'Of times, weeks and months in the mails, like Europe/Lisbon. UTC where it stays empty.',
  },
  float_asset: { kind: 'choice', label: 'Refund float' },
  float_below: {
    label: 'Low below',
    hint: 'An amount of that asset. Used where a low float is mailed.',
    inputmode: 'decimal',
  },
} satisfies FormFields;

export const NEW_RULE = { account_id: { kind: 'choice', label: 'Account' }, ...RULE } satisfies FormFields;

export function floatOptions(assets: readonly Asset[]): FieldOption[] {
  const options = assets.map(({ uniqueAssetId, symbol, network }) => ({
    value: uniqueAssetId,
    label: t('{symbol} on {network}', { symbol, network }),
  }));
  return [{ value: '', label: 'None' }, ...options];
}

export function askedRule(typed: Typed): AskedRule {
  return {
    kinds: RULE_KINDS.filter((kind) => typed[kind] === 'on'),
    recipients: entriesOf(typed['recipients']),
    everyMinutes: typed['every_minutes'] ?? '',
    timeZone: typed['time_zone'] ?? '',
    floatAsset: typed['float_asset'] ?? '',
    floatBelow: typed['float_below'] ?? '',
  };
}

/** The form before anything was typed. */
export function valuesOf(rule: ShownRule, assets: readonly Asset[]): Typed {
  const { kinds, recipients, everyMinutes, timeZone, lowFloat } = rule;
  const asset = assets.find(({ uniqueAssetId }) => uniqueAssetId === lowFloat?.asset);
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, 'on'])),
    recipients: recipients.map(({ email }) => email).join('\n'),
    every_minutes: String(everyMinutes),
    time_zone: timeZone,
    ...(lowFloat && { float_asset: lowFloat.asset }),
    ...(lowFloat && asset && { float_below: editableAmount(formatAmount(lowFloat.below, asset.decimals)) }),
  };
}
