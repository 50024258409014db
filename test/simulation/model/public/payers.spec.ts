import { describe } from '@jest/globals';
import {
  checkout,
  choose,
  direct,
  link,
  option,
  PATH,
  pos,
  PRICE,
  selected,
  session,
  type Fields,
} from '../told-checkouts.js';
import { finds, takes, type Tale } from '../tales.js';
import { address, ASSET, COIN, TOKEN, ToldHistory, uuid } from '../told-history.js';

const AT = '/public/payment-links/c1/checkout';
const SIGNED = '/public/checkout/s900/authorization';
const BODY = { authorization: { nonce: '0x01' }, signature: '0x02' };
const headers = { 'set-cookie': 'payment_link_session=p.1; Path=/; HttpOnly' };

function opened(told: ToldHistory, made: Fields, body?: object): void {
  const data = { checkout_session: made };
  told.answer('POST', AT, body, { status: 200, headers, body: { status: 'success', data } });
}

function linkSession(told: ToldHistory, number: number): Fields {
  const asset = { payment_options: [option(ASSET)], selected: selected(ASSET, number + 1) };
  return session(told, number, { status: 'created', ...asset });
}

function seenBlock(told: ToldHistory, made: Fields): void {
  told.block([{ to: address(961), amount: '10000000' }]);
  told.call('GET', '/public/checkout/s960', undefined, { ...made, status: 'processing' });
  told.pass(1);
}

function typedAtTill(told: ToldHistory): Fields {
  pos(told, 'physical', [ASSET], { code: 'till' });
  const checkout_session = session(told);
  told.call('POST', '/public/pos/till', PRICE, { checkout_session });
  told.pass(1);
  return checkout_session;
}

/** A part of 10 USDC is paid, and x402 asks for so much more. */
function offerAfterPart(told: ToldHistory, amount: string): void {
  choose(told, checkout(told), ASSET);
  told.block([{ to: address(901), amount: '4000000' }]);
  const body = { accepts: [{ asset: TOKEN, payTo: address(901), amount }] };
  told.answer('GET', '/public/checkout/s900/x402', undefined, { status: 402, headers: {}, body });
}

function signAndSend(told: ToldHistory, amount: string): void {
  choose(told, checkout(told), ASSET);
  told.call('POST', SIGNED, BODY, { status: 'sent', transaction_hash: told.hash(1) });
  told.block([{ to: address(901), amount }]);
  told.blocksOn(3);
}

const RIGHT: Record<string, Tale> = {
  'a session that is found again, and a new one once it is paid': (told) => {
    link(told);
    const made = linkSession(told, 960);
    opened(told, made);
    opened(told, made, { new: true });
    seenBlock(told, made);
    const seen = { ...made, selected: { ...selected(ASSET, 961), received_amount: '10' } };
    opened(told, { ...seen, status: 'processing' }, { new: true });
    told.blocksOn(3);
    const paid = { ...seen, status: 'completed' };
    opened(told, paid);
    told.pass(1);
    opened(told, paid);
    opened(told, linkSession(told, 970), { new: true });
  },
  'another session after the merchant has ended the first, which is answered later': (told) => {
    link(told);
    opened(told, linkSession(told, 960));
    told.pass(10);
    const sentAt = told.now;
    opened(told, linkSession(told, 970));
    const ended = { id: uuid(960), status: 'created', expires_at: told.iso(sentAt) };
    told.call('POST', `${PATH}/payment-request/${uuid(960)}/expire`, undefined, ended, { sentAt });
  },
  'another session after the window': (told) => {
    link(told);
    opened(told, linkSession(told, 960));
    told.pass(600);
    told.block();
    opened(told, linkSession(told, 970));
  },
  'a choice after the window that is refused, and one that changes nothing': (told) => {
    const made = checkout(told);
    choose(told, made, ASSET);
    told.pass(490);
    choose(told, made, ASSET);
    const body = { unique_asset_id: COIN };
    told.refuse('POST', '/public/checkout/s900/select-asset', body, 409, 'state_conflict');
  },
  'a till whose session a payer has typed, before the merchant asks for something': (told) => {
    typedAtTill(told);
    told.refuse('GET', '/public/pos/till', undefined, 404, 'no_open_request');
    const made = direct(told, 970);
    told.call('GET', '/public/pos/till', undefined, { checkout_session: made });
  },
  'an offer by x402 of what is missing': (told) => offerAfterPart(told, '6000000'),
  'a signature that is refused, since its transaction moved nothing': (told) => {
    signAndSend(told, '0');
    told.refuse('POST', SIGNED, BODY, 409, 'authorization_refused');
  },
};

const WRONG: Record<string, readonly [string, Tale]> = {
  'two sessions of one payer': [
    'a payer finds the session of the cookie again',
    (told) => {
      link(told);
      opened(told, linkSession(told, 960));
      opened(told, linkSession(told, 970));
    },
  ],
  'two sessions of one payer that nobody has chosen for': [
    'a payer finds the session of the cookie again',
    (told) => {
      link(told);
      opened(told, session(told, 960));
      opened(told, session(told, 970));
    },
  ],
  'a new session beside one that is being paid': [
    'a payer finds the session of the cookie again',
    (told) => {
      link(told);
      const made = linkSession(told, 960);
      opened(told, made);
      seenBlock(told, made);
      opened(told, linkSession(told, 970), { new: true });
    },
  ],
  'a signature that has paid': [
    'a signature that has paid is not refused',
    (told) => {
      signAndSend(told, '10000000');
      told.refuse('POST', SIGNED, BODY, 409, 'authorization_refused');
    },
  ],
  'what a payer has typed, shown to another': [
    'a till shows no payer what another has typed',
    (told) => {
      const checkout_session = typedAtTill(told);
      told.call('GET', '/public/pos/till', undefined, { checkout_session });
    },
  ],
  'an offer by x402 of more than the price': [
    'x402 asks for what is missing at most',
    (told) => offerAfterPart(told, '10000001'),
  ],
  'a choice after the window': [
    'what must be refused is refused',
    (told) => {
      const made = checkout(told);
      choose(told, made, ASSET);
      told.pass(490);
      choose(told, made, COIN);
    },
  ],
};

describe('a payer who comes back, for the model', () => {
  takes(RIGHT);

  finds(WRONG);
});
