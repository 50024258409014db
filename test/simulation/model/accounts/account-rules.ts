import {
  accountOf,
  open,
  organizationOf,
  refused,
  together,
  VALID,
  type Heard,
  type Rule,
} from '../exchange/heard.js';
import type { Account, Known } from '../known/known.js';
import { isUuid, objectOf, textOf, timeOf } from '../known/values.js';
import { isEnded } from '../requests/payment-request.js';
import { changeTolerance, learnTolerance } from '../requests/tolerance.js';
import { isAtRest } from '../requests/status.js';
import { pageOf, pageVerdict, unknownFields } from './lists.js';
import { pathAccountVerdict } from './path-account.js';

const FIELDS = ['name', 'external_id', 'underpayment_tolerance', 'refund_limit'];

/** Judges an account as it was shown, and learns from it. */
function takeAccount(data: unknown, heard: Heard, known: Known, isCreated: boolean): Account | undefined {
  const { findings } = known;
  const record = objectOf(data);
  const about = `account ${textOf(record.id)}`;
  const isShaped = isUuid(record.id) && typeof record.name === 'string' && timeOf(record.created_at) !== null;
  if (!findings.expect(isShaped, 'the fields of an account', about, 'id, name, created_at, updated_at', data))
    return undefined;
  const id = textOf(record.id);
  const organization = organizationOf(heard) ?? '';
  const before = known.accounts.get(id);
  if (isCreated)
    findings.expect(
      before === undefined || before.isFound,
      'each creation makes an account of its own',
      about,
      'a new id',
      id,
    );
  else if (before === undefined) {
    const lost = known.unanswered.explain(
      id,
      ({ kind, organizationId }) => kind === 'account' && organizationId === organization,
    );
    findings.expect(lost !== undefined, 'every account was created by somebody', about, 'a creation', record);
  }
  const account = known.account(id, organization);
  if (before === undefined || isCreated) account.isFound = !isCreated;
  findings.expect(
    account.organizationId === organization,
    'an account is shown to its own organization alone',
    about,
    account.organizationId,
    organization,
  );
  const limit = accountOf(heard);
  findings.expect(
    limit === undefined || limit === id,
    'an account key sees its own account only',
    about,
    limit,
    id,
  );
  const isGone = account.deleted?.isCertain === true && account.deleted.from < heard.exchange.sentAt;
  findings.expect(!isGone, 'a deleted account is shown no more', about, 'nothing', record);
  const created = account.fields.created_at;
  findings.expect(
    created === undefined || created === record.created_at,
    'created_at of an account stays',
    about,
    created,
    record.created_at,
  );
  account.fields = record;
  if (account.isFound) learnTolerance(account, record.underpayment_tolerance);
  return account;
}

const list: Rule = {
  verdict: (heard) => pageVerdict(heard, 1, false),
  done: (heard, data, known) => {
    const page = pageOf(data, heard, known);
    if (page === undefined) return;
    for (const item of page.items) takeAccount(item, heard, known, false);
    const organization = organizationOf(heard) ?? '';
    const limit = accountOf(heard);
    const mine = [...(known.organizations.get(organization) ?? [])].filter((id) => {
      const account = known.accounts.get(id);
      return account?.deleted === undefined && (limit === undefined || id === limit);
    });
    if (!isAtRest(known, heard.exchange.sentAt) && page.total >= 1) return;
    known.findings.expect(
      page.total >= mine.length,
      'an organization lists its accounts',
      `organization ${organization}`,
      mine.length,
      page.total,
    );
  },
};

const create: Rule = {
  verdict: (heard) => {
    const parts = [open('validation_failed', 'state_conflict')];
    const { body } = heard;
    const unknown = unknownFields(body, FIELDS);
    parts.push(unknown.must.length > 0 ? open(...unknown.must) : VALID);
    if (body.name !== undefined && typeof body.name !== 'string')
      parts.push(refused('name is no text', 'validation_failed'));
    return together(...parts);
  },
  done: (heard, data, known) => {
    const account = takeAccount(data, heard, known, true);
    if (account === undefined) return;
    changeTolerance(account, heard);
    for (const name of ['name', 'external_id']) {
      if (heard.body[name] === undefined) continue;
      const is = account.fields[name] === heard.body[name];
      known.findings.expect(
        is,
        'an account is created as asked',
        `account ${account.id}`,
        heard.body[name],
        account.fields[name],
      );
    }
  },
  unanswered: (heard, known) => known.unanswered.add('account', '', heard),
};

const change: Rule = {
  verdict: (heard, known) =>
    together(pathAccountVerdict(heard, known), open('validation_failed', 'unknown_field', 'state_conflict')),
  done: (heard, data, known) => {
    const account = takeAccount(data, heard, known, false);
    changeTolerance(account, heard);
  },
  unanswered: (heard, known) => {
    const account = known.accounts.get(heard.params.account!);
    changeTolerance(account, heard);
  },
};

/** @returns whether something of an account is certainly open */
function isInUse(accountId: string, known: Known): boolean {
  for (const request of known.requests.values()) {
    const isCertain = request.expiry.every(({ from }) => from > known.now + 1000);
    if (request.accountId === accountId && isCertain && !isEnded(request.shown.latest())) return true;
  }
  return false;
}

const remove: Rule = {
  verdict: (heard, known) =>
    together(
      pathAccountVerdict(heard, known),
      open('state_conflict'),
      isInUse(heard.params.account!, known) ? refused('a request is open', 'state_conflict') : VALID,
    ),
  done: (heard, _data, known) => {
    const account = known.accounts.get(heard.params.account!);
    if (account !== undefined) account.deleted = { from: heard.exchange.at, isCertain: true };
  },
  unanswered: (heard, known) => {
    const account = known.accounts.get(heard.params.account!);
    if (account !== undefined) account.deleted ??= { from: heard.exchange.sentAt, isCertain: false };
  },
};

export const accountRules: readonly (readonly [string, Rule])[] = [
  ['list accounts', list],
  ['create account', create],
  ['change account', change],
  ['delete account', remove],
  [
    'read account',
    {
      verdict: pathAccountVerdict,
      done: (heard, data, known) => void takeAccount(data, heard, known, false),
    },
  ],
];
