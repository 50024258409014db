import type { Known, PointOfSale } from '../known/known.js';
import { Timeline } from '../known/since.js';
import { isObject, isUuid, listOf, objectOf, textOf, type Json, lower } from '../known/values.js';
import {
  open,
  refused,
  together,
  VALID,
  type Heard,
  type Rule,
  type Rules,
  type Verdict,
} from '../exchange/heard.js';
import { pageOf, pageVerdict, unknownFields } from '../exchange/lists.js';
import { isAtRest } from '../requests/status.js';

/** @returns whether the POS of a path may be used by who asks: another tenant's is answered like a missing one. */
export function posVerdict(heard: Heard, known: Known): Verdict {
  const id = heard.params.pos ?? '';
  const pos = known.pointsOfSale.get(id);
  if (pos === undefined) return open('not_found', 'validation_failed');
  const organization = heard.organization;
  if (organization !== null && pos.organizationId !== organization) {
    return refused('the POS is another organization’s', 'not_found');
  }
  const account = heard.account;
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
  return new Set(listOf(config.payment_options).map((option) => lower(option)));
}

export function takePos(shown: unknown, heard: Heard, known: Known): PointOfSale | undefined {
  const record = objectOf(shown);
  const about = `POS ${textOf(record.id)}`;
  const isShaped =
    isUuid(record.id) &&
    textOf(record.name) !== '' &&
    (record.type === 'online' || record.type === 'physical') &&
    isUuid(record.account_id) &&
    isObject(record.config);
  known.expect(isShaped, 'the fields of a POS', about, ['id, name, type, account_id, config', shown]);
  if (!isUuid(record.id)) return undefined;
  const organization = heard.organization;
  const pos = posOf(record.id, organization, known);
  if (organization !== null) {
    known.equal('a POS is shown to its own organization alone', about, [pos.organizationId, organization]);
  }
  const accountId = textOf(record.account_id);
  if (pos.accountId === null) pos.accountId = accountId;
  known.equal('a POS keeps its account', about, [pos.accountId, accountId]);
  const limit = heard.account;
  if (limit !== undefined) {
    known.equal('an account key sees its own account only', about, [limit, accountId]);
  }
  const { sentAt, at } = heard.exchange;
  const options = optionsOf(record);
  const types = pos.type.within(sentAt, at);
  if (types.length === 0) pos.type.change(textOf(record.type), 0);
  else known.expect(types.includes(textOf(record.type)), 'the type of a POS', about, [types, record.type]);
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
  findings.expect(fits, 'the payment options of a POS', about, [
    versions.map((each) => [...each]),
    [...options],
  ]);
}

export function accountFilterVerdict(named: string | undefined, heard: Heard, known: Known): Verdict {
  if (named === undefined) return VALID;
  if (heard.account !== undefined) return refused('an account key names no account', 'account_not_allowed');
  const account = known.accounts.get(named);
  if (account === undefined || account.deleted !== undefined)
    return open('account_not_allowed', 'validation_failed');
  if (account.organizationId !== heard.organization) {
    return refused('the account is another organization’s', 'account_not_allowed');
  }
  return VALID;
}

const list: Rule = {
  verdict: (heard, known) =>
    together(
      pageVerdict(heard, 1, true),
      accountFilterVerdict(heard.exchange.query.account_id, heard, known),
    ),
  done: (heard, data, known) => {
    const page = pageOf(data, heard, known);
    if (page === undefined) return;
    const named = heard.exchange.query.account_id ?? heard.account;
    for (const item of page.items) {
      const pos = takePos(item, heard, known);
      if (pos === undefined || named === undefined) continue;
      known.equal('POS listed by account', `POS ${pos.id}`, [named, pos.accountId]);
    }
    if (!isAtRest(known, heard.exchange.sentAt)) return;
    const organization = heard.organization;
    const mine = [...known.pointsOfSale.values()].filter(
      (pos) =>
        pos.organizationId === organization &&
        (named === undefined || pos.accountId === named) &&
        known.accounts.get(pos.accountId ?? '')?.deleted === undefined,
    );
    known.expect(page.total >= mine.length, 'every POS is listed', `organization ${organization}`, [
      mine.length,
      page.total,
    ]);
  },
};

const FIELDS = ['name', 'type', 'account_id', 'config'];
const CONFIG = [
  'merchant',
  'payment_options',
  'return_url',
  'frame_origins',
  'checkout_first',
  'open_amount',
];

function bodyVerdict(heard: Heard, known: Known): Verdict {
  const { body } = heard;
  const config = objectOf(body.config);
  const parts = [unknownFields(body, FIELDS)];
  const unknown = Object.keys(config).filter((name) => !CONFIG.includes(name));
  // Names that neither document knows may be fields that they do not show.
  if (unknown.length > 0) parts.push(open('unknown_field', 'validation_failed'));
  const options = optionsOf(body);
  if (options !== null && [...options].some((id) => !known.assets.has(id))) {
    parts.push(refused('a payment option is none of the assets', 'validation_failed'));
  }
  if (body.type !== undefined && body.type !== 'online' && body.type !== 'physical') {
    parts.push(refused('the type is online or physical', 'validation_failed'));
  }
  // Required fields and the lengths of texts are not stated.
  return together(...parts, open('validation_failed'));
}

const create: Rule = {
  verdict: (heard, known) => {
    const named = typeof heard.body.account_id === 'string' ? heard.body.account_id : undefined;
    const limit = heard.account;
    const account =
      named !== undefined && named === limit ? VALID : accountFilterVerdict(named, heard, known);
    return together(bodyVerdict(heard, known), account, open('not_found', 'account_not_allowed'));
  },
  done: (heard, data, known) => {
    const record = objectOf(data);
    const pos = takePos(record, heard, known);
    if (pos === undefined) return;
    const about = `POS ${pos.id}`;
    const { body } = heard;
    const sent = optionsOf(body);
    const shown = optionsOf(record);
    if (sent !== null) {
      const is = shown !== null && shown.size === sent.size && [...sent].every((id) => shown.has(id));
      known.expect(is, 'a POS is created as asked', about, [[...sent], shown && [...shown]]);
    }
    for (const name of ['name', 'type', 'account_id']) {
      if (body[name] === undefined) continue;
      known.equal('a POS is created as asked', about, [body[name], record[name]]);
    }
  },
};

const change: Rule = {
  verdict: (heard, known) =>
    together(posVerdict(heard, known), bodyVerdict(heard, known), open('state_conflict')),
  done: (heard, data, known) => {
    const id = heard.params.pos!;
    const pos = known.pointsOfSale.get(id);
    const { sentAt, at } = heard.exchange;
    const options = optionsOf(objectOf(data)) ?? optionsOf(heard.body);
    if (pos !== undefined && options !== null) pos.options.change(options, sentAt, at);
    const type = textOf(objectOf(data).type);
    if (pos !== undefined && type !== '') pos.type.change(type, sentAt, at);
    takePos(data, heard, known);
  },
  unanswered: (heard, known) => {
    const pos = known.pointsOfSale.get(heard.params.pos!);
    const options = optionsOf(heard.body);
    const { sentAt, at } = heard.exchange;
    if (pos === undefined) return;
    // Both what was before and what was asked for may be in force from here on.
    const before = pos.options.latest();
    if (options !== null) pos.options.change(options, sentAt, Infinity);
    if (before !== undefined) pos.options.change(before, at, Infinity);
  },
};

export const posRules: Rules = {
  'list POS': list,
  'create POS': create,
  'change POS': change,
  'read POS': {
    verdict: posVerdict,
    done: (heard, data, known) => void takePos(data, heard, known),
  },
};
