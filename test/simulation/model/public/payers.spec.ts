import { describe } from '@jest/globals';
import {
  address,
  ASSET,
  cases,
  checkout,
  choose,
  COIN,
  type Fields,
  link,
  option,
  pos,
  PRICE,
  selected,
  session,
  TOKEN,
  TestHistory,
} from '../test-history.js';

const AT = '/public/payment-links/c1/checkout';
const SIGNED = '/public/checkout/s900/authorization';
const BODY = { authorization: { nonce: '0x01' }, signature: '0x02' };
const headers = { 'set-cookie': 'payment_link_session=p.1; Path=/; HttpOnly' };

function opened(history: TestHistory, made: Fields, body?: object): void {
  const data = { checkout_session: made };
  history.answer('POST', AT, body, { status: 200, headers, body: { status: 'success', data } });
}

function linkSession(history: TestHistory, number: number): Fields {
  const asset = { payment_options: [option(ASSET)], selected: selected(ASSET, number + 1) };
  return session(history, number, { status: 'created', ...asset });
}

function seenBlock(history: TestHistory, made: Fields): void {
  history.block([{ to: address(961), amount: '10000000' }]);
  history.call('GET', '/public/checkout/s960', undefined, { ...made, status: 'processing' });
  history.pass(1);
}

function typedAtTill(history: TestHistory): Fields {
  pos(history, 'physical', [ASSET], { code: 'till' });
  const checkout_session = session(history);
  history.call('POST', '/public/pos/till', PRICE, { checkout_session });
  history.pass(1);
  return checkout_session;
}

function offerAfterPart(history: TestHistory, amount: string): void {
  choose(history, checkout(history), ASSET);
  history.block([{ to: address(901), amount: '4000000' }]);
  const body = { accepts: [{ asset: TOKEN, payTo: address(901), amount }] };
  history.answer('GET', '/public/checkout/s900/x402', undefined, { status: 402, headers: {}, body });
}

function signAndSend(history: TestHistory, amount: string): void {
  choose(history, checkout(history), ASSET);
  history.call('POST', SIGNED, BODY, { status: 'sent', transaction_hash: history.hash(1) });
  history.block([{ to: address(901), amount }]);
  history.blocksOn(3);
}

describe('The simulation’s model of a payer who comes back', () => {
  const { accepts, detects } = cases(() => undefined);

  accepts('a session that is found again until it is paid', (history) => {
    link(history);
    const made = linkSession(history, 960);
    opened(history, made);
    opened(history, made, { new: true });
    seenBlock(history, made);
    const seen = { ...made, selected: { ...selected(ASSET, 961), received_amount: '10' } };
    opened(history, { ...seen, status: 'processing' }, { new: true });
    history.blocksOn(3);
    const paid = { ...seen, status: 'completed' };
    opened(history, paid);
    history.pass(1);
    opened(history, paid);
    opened(history, linkSession(history, 970), { new: true });
  });
  detects('two sessions of one payer', 'a payer finds the session of the cookie again', (history) => {
    link(history);
    opened(history, linkSession(history, 960));
    opened(history, linkSession(history, 970));
  });
  detects('a second session during a payment', 'a payer finds the session of the cookie again', (history) => {
    link(history);
    const made = linkSession(history, 960);
    opened(history, made);
    seenBlock(history, made);
    opened(history, linkSession(history, 970), { new: true });
  });
  detects('a signature that has paid', 'a signature that has paid is not refused', (history) => {
    signAndSend(history, '10000000');
    history.refuse('POST', SIGNED, BODY, 409, 'authorization_refused');
  });
  detects("another payer's amount at a till", 'a till shows no payer what another has typed', (history) => {
    const checkout_session = typedAtTill(history);
    history.call('GET', '/public/pos/till', undefined, { checkout_session });
  });
  detects('an offer by x402 of more than the price', 'x402 asks for what is missing at most', (history) =>
    offerAfterPart(history, '10000001'),
  );
  detects('a choice after the window', 'what must be refused is refused', (history) => {
    const made = checkout(history);
    choose(history, made, ASSET);
    history.pass(490);
    choose(history, made, COIN);
  });
});
