import { parseAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { requireEmail, normalizeEmailForLookup } from '#shared/kernel/email-address.js';
import { canonicalAssetId } from '#contexts/networks/contract/address-spelling.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { parseEnteredAmount } from '#shared/kernel/entered-amount.js';
import { requireTimeZone } from '#shared/kernel/zoned-day.js';
import type { ReportPeriod } from './report-period.js';

export type NotificationRuleId = string;

export const EVENT_KINDS = [
  'completed',
  'underpaid',
  'deposit',
  'refund',
  'failing_webhook',
  'low_float',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const REPORT_KINDS = { weekly_report: 'week', monthly_report: 'month' } as const satisfies Record<
  string,
  ReportPeriod
>;
export type RuleKind = EventKind | keyof typeof REPORT_KINDS;

export const RULE_KINDS: readonly RuleKind[] = [
  ...EVENT_KINDS,
  ...(Object.keys(REPORT_KINDS) as (keyof typeof REPORT_KINDS)[]),
];

export const MAX_RECIPIENTS = 5;
export const MAX_RULES_PER_ACCOUNT = 20;
export const MAIL_INTERVALS_MINUTES = [5, 60, 1_440] as const;
export type MailIntervalMinutes = (typeof MAIL_INTERVALS_MINUTES)[number];

export interface NotificationRuleTerms {
  readonly kinds: readonly RuleKind[];
  readonly everyMinutes: MailIntervalMinutes;
  readonly timeZone: string;
  /** In smallest units. Present if the kinds include `low_float`. */
  readonly lowFloat: { readonly asset: string; readonly below: bigint } | null;
}

export interface NotificationRule extends NotificationRuleTerms {
  readonly id: NotificationRuleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly createdAt: Date;
}

export interface SubmittedRule {
  readonly kinds: readonly string[];
  readonly recipients: readonly string[];
  readonly everyMinutes: string;
  readonly timeZone: string;
  readonly floatAsset: string;
  readonly floatBelow: string;
}

export function parseRuleTerms(asked: SubmittedRule, assets: readonly Asset[]): NotificationRuleTerms {
  const kinds = RULE_KINDS.filter((kind) => asked.kinds.includes(kind));
  if (kinds.length === 0) throw invalidField('kinds', 'required', 'must have at least one kind.');
  const everyMinutes = MAIL_INTERVALS_MINUTES.find((minutes) => String(minutes) === asked.everyMinutes);
  if (everyMinutes === undefined)
    throw invalidField('every_minutes', 'choice', `must be one of ${MAIL_INTERVALS_MINUTES.join(', ')}.`);
  const timeZone = requireTimeZone('time_zone', asked.timeZone.trim() || 'UTC');
  const lowFloat = kinds.includes('low_float') ? parseLowFloatLimit(asked, assets) : null;
  return { kinds, everyMinutes, timeZone, lowFloat };
}

function parseLowFloatLimit({ floatAsset, floatBelow }: SubmittedRule, assets: readonly Asset[]) {
  const sought = canonicalAssetId(floatAsset);
  const asset = assets.find(({ uniqueAssetId }) => canonicalAssetId(uniqueAssetId) === sought);
  if (asset === undefined) throw invalidField('float_asset', 'choice', 'must be an asset of this service.');
  const below = parseAmount(parseEnteredAmount(floatBelow, 'float_below'), asset.decimals);
  if (typeof below !== 'bigint')
    throw invalidField(
      'float_below',
      below,
      `must be a number above zero with at most ${asset.decimals} decimals.`,
    );
  return { asset: asset.uniqueAssetId, below };
}

/** Each once, in lower case. @throws validation_failed on `recipients` */
export function parseRecipients(texts: readonly string[]): string[] {
  const distinct = [...new Set(texts.map(normalizeEmailForLookup))];
  if (distinct.length > MAX_RECIPIENTS)
    throw invalidField('recipients', 'count', `must have at most ${MAX_RECIPIENTS} addresses.`);
  return distinct.map((text) => requireEmail(text, 'recipients'));
}

export function auditedFieldsOfRule(
  { kinds, everyMinutes, timeZone, lowFloat }: NotificationRuleTerms,
  emails: readonly string[],
) {
  return {
    kinds,
    every_minutes: everyMinutes,
    time_zone: timeZone,
    float_asset: lowFloat?.asset ?? null,
    float_below: lowFloat?.below.toString() ?? null,
    recipients: emails,
  };
}

export const KIND_WORDS = {
  completed: 'Completed payments',
  underpaid: 'Underpaid payments',
  deposit: 'Unexpected payments',
  refund: 'Refunds',
  failing_webhook: 'Failing webhooks',
  low_float: 'Low refund float',
  weekly_report: 'Weekly report',
  monthly_report: 'Monthly report',
} as const satisfies Record<RuleKind, string>;

type KindWord = (typeof KIND_WORDS)[RuleKind];

/** @param words translates a kind; default: English, the language of emails */
export function kindsInWords(
  kinds: readonly RuleKind[],
  words: (word: KindWord) => string = (word) => word,
): string {
  const line = kinds.map((kind) => words(KIND_WORDS[kind]).toLowerCase()).join(', ');
  return line.charAt(0).toUpperCase() + line.slice(1);
}

/** Receives emails only after it has been confirmed. */
export interface RuleRecipient {
  readonly id: string;
  readonly email: string;
  /** Secret in the URL of the public page that emails link to. */
  readonly token: string;
  readonly confirmedAt: Date | null;
  readonly unsubscribedAt: Date | null;
}

export interface RecipientAddressState {
  readonly email: string;
  /** The address was confirmed by accepting the invitation. */
  readonly isCollaborator: boolean;
  readonly hasUnsubscribed: boolean;
}

export interface ReportSchedule {
  readonly period: ReportPeriod;
  /** First day of the period that the next report covers. */
  readonly startsOn: string;
  readonly dueAt: Date;
}

export interface RecipientWithRule extends RuleRecipient {
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  readonly ruleId: NotificationRuleId;
  readonly kinds: readonly RuleKind[];
  readonly askedAt: Date | null;
}
