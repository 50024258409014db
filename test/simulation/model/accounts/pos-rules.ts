import {
  accountOf,
  open,
  organizationOf,
  refused,
  together,
  VALID,
  type Heard,
  type Rule,
  type Verdict,
} from '../exchange/heard.js';
import type { Known } from '../known/known.js';
import { objectOf, textOf } from '../known/values.js';
import { isAtRest } from '../requests/status.js';
import { pageOf, pageVerdict, unknownFields } from './lists.js';
import { optionsOf, posVerdict, takePos } from './points-of-sale.js';

/** A filter by account is for organization keys only, and names an account of the organization. */
export function accountFilterVerdict(named: string | undefined, heard: Heard, known: Known): Verdict {
  if (named === undefined) return VALID;
  if (accountOf(heard) !== undefined)
    return refused('an account key names no account', 'account_not_allowed');
  const account = known.accounts.get(named);
  if (account === undefined || account.deleted !== undefined)
    return open('account_not_allowed', 'validation_failed');
  if (account.organizationId !== organizationOf(heard)) {
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
    const named = heard.exchange.query.account_id ?? accountOf(heard);
    for (const item of page.items) {
      const pos = takePos(item, heard, known);
      if (pos === undefined || named === undefined) continue;
      known.findings.expect(
        pos.accountId === named,
        'POS listed by account',
        `POS ${pos.id}`,
        named,
        pos.accountId,
      );
    }
    if (!isAtRest(known, heard.exchange.sentAt)) return;
    const organization = organizationOf(heard);
    const mine = [...known.pointsOfSale.values()].filter(
      (pos) =>
        pos.organizationId === organization &&
        (named === undefined || pos.accountId === named) &&
        known.accounts.get(pos.accountId ?? '')?.deleted === undefined,
    );
    known.findings.expect(
      page.total >= mine.length,
      'every POS is listed',
      `organization ${organization}`,
      mine.length,
      page.total,
    );
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
    const limit = accountOf(heard);
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
      known.findings.expect(is, 'a POS is created as asked', about, [...sent], shown && [...shown]);
    }
    for (const name of ['name', 'type', 'account_id']) {
      if (body[name] === undefined) continue;
      known.findings.expect(
        record[name] === body[name],
        'a POS is created as asked',
        about,
        body[name],
        record[name],
      );
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

export const posRules: readonly (readonly [string, Rule])[] = [
  ['list POS', list],
  ['create POS', create],
  ['change POS', change],
  [
    'read POS',
    {
      verdict: posVerdict,
      done: (heard, data, known) => void takePos(data, heard, known),
    },
  ],
];
