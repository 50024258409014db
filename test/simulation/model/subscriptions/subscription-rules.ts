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
import { manyPaymentsVerdict, posVerdict } from '../accounts/points-of-sale.js';
import type { Known } from '../known/known.js';
import { isObject, objectOf, textOf, timeOf, lower } from '../known/values.js';
import { ownVerdict } from '../refunds/refund-verdicts.js';
import { amountVerdict, referenceVerdict, termsVerdict, madeIn } from '../requests/creation.js';
import { isInterval, type Subscription } from './subscription.js';
import { judgeCreated, takeSubscription } from './shown.js';

const FIELDS = [
  ...['amount', 'unique_asset_id', 'interval', 'reference_id', 'trial_until', 'ends_at'],
  // An offer stands for 24 hours unless set.
  'expires_at',
];
const WALLET_FIELDS = ['id', 'status', 'expires_at', 'next_charge_at', 'wallet_external_id'];

function creationVerdict(heard: Heard, known: Known): Verdict {
  const { body, exchange } = heard;
  const pos = known.pointsOfSale.get(heard.params.pos!);
  const parts = [posVerdict(heard, known), unknownFields(body, FIELDS), referenceVerdict(body.reference_id)];
  parts.push(manyPaymentsVerdict(heard, known));
  const id = lower(body.unique_asset_id);
  const asset = known.assets.get(id);
  const versions = pos?.options.within(exchange.sentAt, exchange.at) ?? [];
  if (asset === undefined) parts.push(refused('the asset is none of the catalogue', 'validation_failed'));
  else {
    const isOption = versions.length > 0 && versions.every((options) => options.has(id));
    parts.push(amountVerdict(body.amount, asset), isOption ? VALID : open('validation_failed'));
    const terms = termsVerdict([asset], pos, heard, known);
    parts.push(open(...terms.must, ...terms.may));
  }
  if (!isInterval(body.interval)) parts.push(refused('the interval is none of four', 'validation_failed'));
  for (const name of ['trial_until', 'ends_at', 'expires_at']) {
    if (body[name] === undefined) continue;
    const time = Date.parse(textOf(body[name]));
    if (Number.isNaN(time)) parts.push(refused(`${name} is no timestamp`, 'validation_failed'));
    // An offer that is over by then is none.
    else if (name !== 'expires_at' || time <= exchange.at) parts.push(open('validation_failed'));
  }
  return together(...parts);
}

function subscriptionOf(heard: Heard, known: Known): Verdict {
  const subscription = known.subscriptions.byId.get(heard.params.subscription!);
  const pos = heard.params.pos === undefined ? VALID : posVerdict(heard, known);
  if (subscription === undefined)
    return together(pos, open('not_found', 'validation_failed', 'state_conflict'));
  if (heard.params.pos !== undefined && subscription.posId !== heard.params.pos) {
    return refused('the subscription is another POS’s', 'not_found');
  }
  return together(pos, ownVerdict(subscription, heard));
}

/** The wallet that a body names: exactly one of two variants matches. */
function walletOf(heard: Heard, known: Known): { readonly verdict: Verdict; readonly wallet?: string } {
  const { wallet_external_id: external, wallet_id: id } = heard.body;
  const unknown = unknownFields(heard.body, ['wallet_external_id', 'wallet_id']);
  if ((external === undefined) === (id === undefined)) {
    return {
      verdict: together(
        unknown,
        refused('exactly one of wallet_external_id and wallet_id', 'validation_failed'),
      ),
    };
  }
  const text = external ?? id;
  if (typeof text !== 'string' || text === '') {
    return { verdict: together(unknown, refused('the wallet is no text', 'validation_failed')) };
  }
  if (external !== undefined)
    return {
      verdict: together(unknown, text.length > 128 ? open('validation_failed') : VALID),
      wallet: text,
    };
  const wallet = known.subscriptions.walletIds.get(text);
  return wallet === undefined
    ? { verdict: together(unknown, open('not_found', 'validation_failed')) }
    : { verdict: unknown, wallet };
}

function acceptVerdict(heard: Heard, known: Known): Verdict {
  const own = subscriptionOf(heard, known);
  const { verdict, wallet } = walletOf(heard, known);
  const subscription = known.subscriptions.byId.get(heard.params.subscription!);
  if (subscription === undefined) return together(own, verdict);
  const { sentAt, at } = heard.exchange;
  const floor = subscription.shown.before(sentAt);
  const expires = timeOf(subscription.fields.expires_at) ?? Infinity;
  const isSame = wallet !== undefined && subscription.wallets.has(wallet);
  if (
    subscription.accepted !== undefined &&
    subscription.accepted.to < sentAt &&
    wallet !== undefined &&
    !isSame
  ) {
    return together(own, verdict, refused('another wallet accepted it', 'state_conflict'));
  }
  if (floor === 'expired' || (floor === 'revoked' && !isSame)) {
    return together(own, verdict, refused('the offer has ended', 'state_conflict'));
  }
  if (!subscription.mayBeAccepted && sentAt > expires + 1000)
    return together(own, verdict, refused('the offer has ended', 'state_conflict'));
  const isOpen =
    subscription.mayBeAccepted ||
    at > expires - 1000 ||
    floor !== 'pending' ||
    subscription.revoked !== undefined;
  return together(own, verdict, isOpen ? open('state_conflict') : VALID);
}

function takeWalletAnswer(heard: Heard, data: unknown, known: Known): Subscription | undefined {
  const about = `subscription ${heard.params.subscription}`;
  const keys = Object.keys(objectOf(data)).sort();
  const is = isObject(data) && keys.join() === [...WALLET_FIELDS].sort().join();
  known.expect(is, 'a wallet is answered exactly five fields', about, [WALLET_FIELDS, keys]);
  known.equal('the subscription that was asked for', about, [heard.params.subscription, objectOf(data).id]);
  return takeSubscription(data, heard, known);
}

const accept: Rule = {
  verdict: acceptVerdict,
  done: (heard, data, known) => {
    const subscription = known.subscriptions.byId.get(heard.params.subscription!);
    const { wallet } = walletOf(heard, known);
    const { sentAt, at } = heard.exchange;
    if (subscription !== undefined) {
      const accepting = wallet ?? textOf(objectOf(data).wallet_external_id);
      subscription.wallets.add(accepting);
      subscription.acceptedBy ??= accepting;
      known.equal('one wallet accepts a subscription', subscription.about, [
        subscription.acceptedBy,
        accepting,
      ]);
      if (subscription.accepted === undefined && !subscription.mayBeAccepted)
        subscription.accepted = { from: sentAt, to: at };
      subscription.mayBeAccepted = true;
    }
    takeWalletAnswer(heard, data, known);
  },
  unanswered: (heard, known) => {
    const subscription = known.subscriptions.byId.get(heard.params.subscription!);
    const { wallet } = walletOf(heard, known);
    if (subscription === undefined) return;
    subscription.mayBeAccepted = true;
    if (wallet !== undefined) subscription.wallets.add(wallet);
  },
};

function revoke(isWallet: boolean): Rule {
  const mark = (heard: Heard, known: Known, isCertain: boolean): void => {
    const subscription = known.subscriptions.byId.get(heard.params.subscription!);
    const { sentAt, at } = heard.exchange;
    if (subscription !== undefined && subscription.revoked?.isCertain !== true) {
      subscription.revoked = { from: sentAt, to: at, isCertain };
    }
  };
  return {
    verdict: (heard, known) => {
      const own = subscriptionOf(heard, known);
      if (!isWallet)
        return together(
          own,
          unknownFields(heard.body, []).must.length > 0 ? open('unknown_field', 'validation_failed') : VALID,
        );
      const { verdict, wallet } = walletOf(heard, known);
      const subscription = known.subscriptions.byId.get(heard.params.subscription!);
      const isHis =
        wallet === undefined ||
        subscription === undefined ||
        (subscription.wallets.has(wallet) && subscription.wallets.size === 1);
      return together(own, verdict, isHis ? VALID : open('state_conflict', 'not_found'));
    },
    done: (heard, data, known) => {
      mark(heard, known, true);
      if (isWallet) takeWalletAnswer(heard, data, known);
      else takeSubscription(data, heard, known);
    },
    unanswered: (heard, known) => mark(heard, known, false),
  };
}

const create: Rule = {
  verdict: creationVerdict,
  done: (heard, data, known, answer) => {
    const isFound = known.subscriptions.byId.has(textOf(objectOf(data).id));
    const created = isFound ? undefined : madeIn(heard, answer);
    const subscription = takeSubscription(data, heard, known, created);
    if (subscription === undefined) return;
    const fields = { ...objectOf(data), trial_until: heard.body.trial_until, ends_at: heard.body.ends_at };
    Object.assign(subscription, { fields });
    judgeCreated(subscription, objectOf(data), heard, known);
  },
  unanswered: (heard, known) => {
    known.makers.pointsOfSale.add(heard.params.pos!);
    known.unanswered.add('subscription', heard.params.pos!, heard);
  },
};

export const subscriptionRules: Rules = {
  'create subscription': create,
  'accept as wallet': accept,
  'revoke as wallet': revoke(true),
  'revoke subscription': revoke(false),
  'read subscription': {
    verdict: subscriptionOf,
    done: (heard, data, known) => void takeSubscription(data, heard, known),
  },
  'list subscriptions': {
    verdict: (heard, known) => together(posVerdict(heard, known), pageVerdict(heard, 1, false), open()),
    done: (heard, data, known) => {
      for (const item of pageOf(data, heard, known)?.items ?? []) takeSubscription(item, heard, known);
    },
  },
};
