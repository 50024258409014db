import type { Known, PointOfSale } from '../known/known.js';
import { Timeline } from '../known/since.js';
import { isObject, isUuid, listOf, objectOf, textOf, type Json } from '../known/values.js';
import {
  accountOf,
  open,
  organizationOf,
  refused,
  VALID,
  type Heard,
  type Verdict,
} from '../exchange/heard.js';

/** @returns whether the POS of a path may be used by who asks: another tenant's is answered like a missing one. */
export function posVerdict(heard: Heard, known: Known): Verdict {
  const id = heard.params.pos ?? '';
  const pos = known.pointsOfSale.get(id);
  if (pos === undefined) return open('not_found', 'validation_failed');
  const organization = organizationOf(heard);
  if (organization !== null && pos.organizationId !== organization) {
    return refused('the POS is another organization’s', 'not_found');
  }
  const account = accountOf(heard);
  if (account !== undefined && pos.accountId !== null && account !== pos.accountId) {
    return refused('the POS is another account’s', 'not_found', 'account_not_allowed');
  }
  const isDeleted = known.accounts.get(pos.accountId ?? '')?.deleted !== undefined;
  return isDeleted ? open('not_found', 'state_conflict', 'account_not_allowed') : VALID;
}

/** A physical POS has one payment at a time: what can be paid many times may be refused on it. */
export function manyPaymentsVerdict({ params, exchange }: Heard, known: Known): Verdict {
  const types = known.pointsOfSale.get(params.pos!)?.type.within(exchange.sentAt, exchange.at) ?? [];
  return types.length > 0 && types.every((type) => type === 'online') ? VALID : open('state_conflict');
}

/** A POS that the facts name for the first time belongs to who was answered about it. */
export function posOf(id: string, organizationId: string | null, known: Known): PointOfSale {
  let pos = known.pointsOfSale.get(id);
  if (pos === undefined) {
    pos = {
      id,
      organizationId: organizationId ?? '',
      accountId: null,
      type: new Timeline(),
      options: new Timeline(),
      requests: [],
      unanswered: [],
      listedAt: -Infinity,
      fields: {},
    };
    known.pointsOfSale.set(id, pos);
  }
  return pos;
}

/** Payment options in lower case; null where there are none in what was answered. */
export function optionsOf(record: Json): ReadonlySet<string> | null {
  const config = objectOf(record.config);
  if (!Array.isArray(config.payment_options)) return null;
  return new Set(listOf(config.payment_options).map((option) => textOf(option).toLowerCase()));
}

/** Judges a POS as it was shown, and learns from it. */
export function takePos(shown: unknown, heard: Heard, known: Known): PointOfSale | undefined {
  const { findings } = known;
  const record = objectOf(shown);
  const about = `POS ${textOf(record.id)}`;
  const isShaped =
    isUuid(record.id) &&
    textOf(record.name) !== '' &&
    (record.type === 'online' || record.type === 'physical') &&
    isUuid(record.account_id) &&
    isObject(record.config);
  findings.expect(isShaped, 'the fields of a POS', about, 'id, name, type, account_id, config', shown);
  if (!isUuid(record.id)) return undefined;
  const organization = organizationOf(heard);
  const pos = posOf(record.id, organization, known);
  if (organization !== null) {
    findings.expect(
      pos.organizationId === organization,
      'a POS is shown to its own organization alone',
      about,
      pos.organizationId,
      organization,
    );
  }
  const accountId = textOf(record.account_id);
  if (pos.accountId === null) pos.accountId = accountId;
  findings.expect(pos.accountId === accountId, 'a POS keeps its account', about, pos.accountId, accountId);
  const limit = accountOf(heard);
  if (limit !== undefined) {
    findings.expect(accountId === limit, 'an account key sees its own account only', about, limit, accountId);
  }
  const { sentAt, at } = heard.exchange;
  const options = optionsOf(record);
  const types = pos.type.within(sentAt, at);
  if (types.length === 0) pos.type.change(textOf(record.type), 0);
  else findings.expect(types.includes(textOf(record.type)), 'the type of a POS', about, types, record.type);
  if (options !== null) judgeOptions(pos, options, sentAt, at, about, known);
  if (typeof record.code === 'string') known.tills.set(record.code, pos.id);
  pos.fields = record;
  return pos;
}

function judgeOptions(
  pos: PointOfSale,
  options: ReadonlySet<string>,
  sentAt: number,
  at: number,
  about: string,
  { findings }: Known,
): void {
  const versions = pos.options.within(sentAt, at);
  if (versions.length === 0) {
    pos.options.change(options, 0);
    return;
  }
  const fits = versions.some(
    (version) => version.size === options.size && [...version].every((each) => options.has(each)),
  );
  findings.expect(
    fits,
    'the payment options of a POS',
    about,
    versions.map((each) => [...each]),
    [...options],
  );
}
