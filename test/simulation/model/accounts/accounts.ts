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
import type { Known, Account } from '../known/known.js';
import { isUuid, objectOf, textOf, timeOf, units, isObject, listOf } from '../known/values.js';
import { isEnded } from '../requests/payment-request.js';
import { changeTolerance, learnTolerance } from '../requests/tolerance.js';
import { isAtRest } from '../requests/status.js';

/** An account in a path is the caller's own: any other is refused alike, whether it exists or not. */
export function pathAccountVerdict(heard: Heard, known: Known): Verdict {
  const named = heard.params.account ?? '';
  const limit = heard.account;
  if (limit !== undefined && limit !== named) {
    return refused(
      'an account key may name its own account only',
      'account_not_allowed',
      'organization_scope_required',
    );
  }
  const account = known.accounts.get(named);
  if (account === undefined) return open('account_not_allowed', 'not_found', 'validation_failed');
  if (account.organizationId !== heard.organization) {
    return refused('the account is another organization’s', 'account_not_allowed', 'not_found');
  }
  const { deleted } = account;
  if (deleted === undefined) return VALID;
  const isSure = deleted.isCertain && deleted.from < heard.exchange.sentAt;
  return isSure
    ? refused('the account is deleted', 'account_not_allowed', 'not_found')
    : open('account_not_allowed', 'not_found', 'state_conflict');
}

const FIELDS = ['name', 'external_id', 'underpayment_tolerance', 'refund_limit'];

function takeAccount(data: unknown, heard: Heard, known: Known, isCreated: boolean): Account | undefined {
  const record = objectOf(data);
  const about = `account ${textOf(record.id)}`;
  const isShaped = isUuid(record.id) && typeof record.name === 'string' && timeOf(record.created_at) !== null;
  if (!known.expect(isShaped, 'the fields of an account', about, ['id, name, created_at, updated_at', data]))
    return undefined;
  const id = textOf(record.id);
  const organization = heard.organization ?? '';
  const before = known.accounts.get(id);
  if (isCreated)
    known.expect(before === undefined || before.isFound, 'each creation makes an account of its own', about, [
      'a new id',
      id,
    ]);
  else if (before === undefined) {
    const lost = known.unanswered.explain(
      id,
      ({ kind, organizationId }) => kind === 'account' && organizationId === organization,
    );
    known.expect(lost !== undefined, 'every account was created by somebody', about, ['a creation', record]);
  }
  const account = known.account(id, organization);
  if (before === undefined || isCreated) account.isFound = !isCreated;
  known.equal('an account is shown to its own organization alone', about, [
    account.organizationId,
    organization,
  ]);
  const limit = heard.account;
  known.expect(limit === undefined || limit === id, 'an account key sees its own account only', about, [
    limit,
    id,
  ]);
  const isGone = account.deleted?.isCertain === true && account.deleted.from < heard.exchange.sentAt;
  known.expect(!isGone, 'a deleted account is shown no more', about, ['nothing', record]);
  const created = account.fields.created_at;
  known.expect(
    created === undefined || created === record.created_at,
    'created_at of an account stays',
    about,
    [created, record.created_at],
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
    const organization = heard.organization ?? '';
    const limit = heard.account;
    const mine = [...(known.organizations.get(organization) ?? [])].filter((id) => {
      const account = known.accounts.get(id);
      return account?.deleted === undefined && (limit === undefined || id === limit);
    });
    if (!isAtRest(known, heard.exchange.sentAt) && page.total >= 1) return;
    known.expect(
      page.total >= mine.length,
      'an organization lists its accounts',
      `organization ${organization}`,
      [mine.length, page.total],
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
      known.equal('an account is created as asked', `account ${account.id}`, [
        heard.body[name],
        account.fields[name],
      ]);
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

export const accountRules: Rules = {
  'list accounts': list,
  'create account': create,
  'change account': change,
  'delete account': remove,
  'read account': {
    verdict: pathAccountVerdict,
    done: (heard, data, known) => void takeAccount(data, heard, known, false),
  },
};

export const assetRules: Rules = {
  'list assets': {
    verdict: () => open('validation_failed', 'unknown_field'),
    done: (_heard, data, known) => {
      const items = isObject(data) ? listOf(data.data) : listOf(data);
      for (const record of items.map(objectOf)) {
        const asset = known.asset(record.unique_asset_id);
        const about = `asset ${textOf(record.unique_asset_id)}`;
        if (asset === undefined) continue;
        const { fact, network, chain } = asset;
        const minimum = units(fact.minimumAmount, fact.decimals);
        const is =
          record.unique_asset_id === fact.uniqueAssetId &&
          record.symbol === fact.symbol &&
          record.decimals === fact.decimals &&
          record.network === network &&
          units(record.minimum_amount, fact.decimals) === minimum;
        known.expect(is, 'an asset of the catalogue', about, [fact, record]);
        const needed = Number(record.required_confirmations) - chain.network.confirmations;
        known.expect(needed === 0 || needed === 1, 'required_confirmations', about, [
          chain.network.confirmations,
          record,
        ]);
      }
    },
  },
};
