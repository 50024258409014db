import { describe } from '@jest/globals';
import {
  address,
  ASSET,
  cases,
  checkout,
  choose,
  chooseAndSee,
  COIN,
  direct,
  link,
  option,
  PATH,
  pos,
  read,
  selected,
  session,
  TOKEN,
  uuid,
} from '../test-history.js';

describe('The simulation’s model of what payers see', () => {
  const { accepts, detects } = cases(() => undefined);

  accepts('a payment of the first of two selected assets', (history) => {
    const made = checkout(history);
    read(history, made, 'pending');
    choose(history, made, ASSET);
    choose(history, made, COIN);
    history.block([{ to: address(901), amount: '10000000' }]);
    history.blocksOn(3);
    read(history, made, 'completed', { selected: { ...selected(ASSET, 901), received_amount: '10' } });
    history.pass(1);
    history.refuse(
      'POST',
      '/public/checkout/s900/select-asset',
      { unique_asset_id: ASSET },
      409,
      'state_conflict',
    );
  });
  detects('another address in an x402 offer', 'an asset keeps its address', (history) => {
    const made = checkout(history);
    const accepts = [{ asset: TOKEN, payTo: address(902), amount: '10000000' }];
    const answer = { status: 402, headers: {}, body: { accepts } };
    history.answer('GET', '/public/checkout/s900/x402', undefined, answer);
    choose(history, made, ASSET);
  });
  detects('a window that has ended, ended again later', 'expires_at', (history) => {
    pos(history, 'online', [ASSET]);
    const made = direct(history, 970);
    history.pass(700);
    history.block();
    history.call('GET', `${PATH}/payment-request/${uuid(970)}`, undefined, { ...made, status: 'expired' });
    history.pass(1);
    const again = { ...made, status: 'expired', expires_at: history.iso(history.now + 5) };
    history.call('POST', `${PATH}/payment-request/${uuid(970)}/expire`, undefined, again);
  });
  detects('an asset that nobody chose', 'an asset is selected by somebody', (history) =>
    read(history, checkout(history), 'created', { selected: selected(COIN, 901) }),
  );
  detects(
    'a wrong 1:1 price',
    'a price without a rate is 1:1',
    (history) =>
      void checkout(history, { payment_options: [{ ...option(ASSET), amount: '10.01' }, option(COIN)] }),
  );
  detects('a rate that moves', 'an asset keeps its amount', (history) => {
    const made = checkout(history);
    choose(history, made, COIN);
    read(history, made, 'created', { selected: { ...selected(COIN, 901), amount: '0.006' } });
  });
  detects('another asset than was chosen', 'the asset that was chosen', (history) =>
    chooseAndSee(history, checkout(history), COIN, selected(ASSET, 901)),
  );
  detects('an asset that was chosen before another', 'the asset that was chosen last is shown', (history) => {
    const made = checkout(history);
    choose(history, made, ASSET);
    choose(history, made, COIN);
    read(history, made, 'created', { selected: selected(ASSET, 901) });
  });
  detects('another asset after a payment', 'what must be refused is refused', (history) => {
    const made = checkout(history);
    choose(history, made, ASSET);
    history.block([{ to: address(901), amount: '1000000' }]);
    read(history, made, 'processing', { selected: selected(ASSET, 901) });
    history.pass(1);
    choose(history, made, COIN);
  });
  detects('a session made by reading', 'reading creates nothing', (history) => {
    link(history);
    history.call('GET', '/public/payment-links/c1/checkout', undefined, {
      checkout_session: session(history, 960),
    });
  });
  detects('a replaced request that stays open', 'expires_at', (history) => {
    pos(history, 'physical', [ASSET]);
    const first = direct(history, 970);
    direct(history, 971);
    history.call('GET', `${PATH}/payment-request/${uuid(970)}`, undefined, first);
  });
  detects('an ended window despite a payment', 'what must be refused is refused', (history) => {
    const first = direct(history, 970);
    history.block([{ to: address(970), amount: '1000000' }]);
    history.call('GET', `${PATH}/payment-request/${uuid(970)}`, undefined, {
      ...first,
      status: 'processing',
    });
    history.pass(1);
    history.call('POST', `${PATH}/payment-request/${uuid(970)}/expire`, undefined, first);
  });
});
