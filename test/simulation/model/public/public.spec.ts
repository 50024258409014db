import { describe } from '@jest/globals';
import {
  PRICE,
  PATH,
  option,
  selected,
  pos,
  session,
  checkout,
  choose,
  chooseAndSee,
  read,
  link,
  direct,
} from '../told-checkouts.js';
import { textOf } from '../known/values.js';
import { finds, takes, type Tale } from '../tales.js';
import { address, ASSET, COIN, POS, TOKEN, type ToldHistory, uuid } from '../told-history.js';

/** Both answers show ASSET. */
function twoAtOnce(told: ToldHistory, chosen: readonly string[]): void {
  const made = checkout(told);
  const sentAt = told.now;
  for (const id of chosen) chooseAndSee(told, made, id, selected(ASSET, 901), { sentAt });
}

const RIGHT: Record<string, Tale> = {
  'a choice, another one, and the payment of the first': (told) => {
    const made = checkout(told);
    read(told, made, 'pending');
    choose(told, made, ASSET);
    choose(told, made, COIN);
    told.block([{ to: address(901), amount: '10000000' }]);
    told.blocksOn(3);
    read(told, made, 'completed', { selected: { ...selected(ASSET, 901), received_amount: '10' } });
    told.pass(1);
    told.refuse(
      'POST',
      '/public/checkout/s900/select-asset',
      { unique_asset_id: ASSET },
      409,
      'state_conflict',
    );
  },
  'two choices at once, whose answers show the later one': (told) => twoAtOnce(told, [COIN, ASSET]),
  'two choices at once, the later of which is answered first': (told) => twoAtOnce(told, [ASSET, COIN]),
  'a choice whose answer was lost': (told) => {
    const made = checkout(told);
    told.answer('POST', '/public/checkout/s900/select-asset', { unique_asset_id: COIN }, 'lost');
    read(told, made, 'created', { selected: selected(COIN, 901) });
  },
  'money in an asset whose choice was not answered, before another one was chosen': (told) => {
    const made = checkout(told);
    told.answer('POST', '/public/checkout/s900/select-asset', { unique_asset_id: COIN }, 'lost');
    choose(told, made, ASSET);
    told.block([{ to: address(901), amount: '7', token: null, way: 'call' }]);
    read(told, made, 'processing', { payment_options: undefined });
  },
  'a checkout that nobody chooses for': (told) => {
    const made = checkout(told);
    told.pass(700);
    told.rest();
    read(told, made, 'expired');
  },
  'a link that is opened twice and switched off': (told) => {
    link(told);
    const made = session(told, 960, {
      status: 'created',
      payment_options: [option(ASSET)],
      selected: selected(ASSET, 961),
    });
    const at = '/public/payment-links/c1/checkout';
    told.call('POST', at, undefined, { checkout_session: made });
    told.call('POST', at, undefined, { checkout_session: made });
    told.call('GET', at, undefined, { checkout_session: made });
    told.call('PATCH', `${PATH}/payment-link/${uuid(950)}/deactivate`, undefined, {
      id: uuid(950),
      code: 'c1',
      url: 'https://pay.example/link/c1',
      ...PRICE,
      payment_options: [ASSET],
      active: false,
      created_at: told.iso(told.now - 44),
    });
    told.pass(1);
    told.refuse('GET', at, undefined, 404, 'not_found');
  },
  'a code that there is not, after a session at another till': (told) => {
    told.call('POST', '/public/pos/0till', PRICE, { checkout_session: session(told) });
    told.pass(1);
    told.refuse('GET', '/public/pos/till', undefined, 404, 'not_found');
  },
  'a window that is ended, and a request that another one replaces': (told) => {
    pos(told, 'physical', [ASSET]);
    const first = direct(told, 970);
    const second = direct(told, 971);
    told.call('GET', `${PATH}/payment-request/${uuid(970)}`, undefined, {
      ...first,
      expires_at: second.created_at,
    });
    told.call('POST', `${PATH}/payment-request/${uuid(971)}/expire`, undefined, {
      ...second,
      expires_at: told.iso(told.now + 3),
    });
    told.pass(120);
    told.block();
    told.blocksOn(3);
    told.rest();
    const ended = { ...second, status: 'expired', expires_at: told.iso(told.now - 168_008) };
    told.call('GET', `${PATH}/payment-request/${uuid(971)}`, undefined, ended);
    told.call('POST', `${PATH}/payment-request/${uuid(971)}/expire`, undefined, ended);
  },
  'a till’s session, beside a request of the merchant and that of another payer': (told) => {
    pos(told, 'physical', [ASSET], { code: 'till' });
    const first = session(told);
    told.call('POST', '/public/pos/till', PRICE, { checkout_session: first });
    direct(told, 970);
    told.call('POST', '/public/pos/till', PRICE, { checkout_session: session(told, 910) });
    told.call('GET', '/public/checkout/s900', undefined, first);
  },
  'a till’s session that another one replaces whose creation was not answered': (told) => {
    pos(told, 'physical', [ASSET], { code: 'till' });
    const first = session(told);
    told.call('POST', '/public/pos/till', PRICE, { checkout_session: first });
    const sentAt = told.now;
    told.answer('POST', '/public/pos/till', { ...PRICE, replaces: 's900' }, 'lost');
    told.refuse('POST', '/public/pos/till', { ...PRICE, replaces: 's900' }, 409, 'state_conflict');
    told.call('GET', '/public/checkout/s900', undefined, { ...first, expires_at: told.iso(sentAt + 5) });
  },
  'a session at a till, beside a request of another amount whose creation was not answered': (told) => {
    pos(told, 'physical', [ASSET], { code: 'till' });
    const path = `${PATH}/payment-request-checkout`;
    told.answer('POST', path, { amount: '11', coin_code: 'USD', reference_id: 'order-1' }, 'lost');
    const opened = session(told);
    told.call('POST', '/public/pos/till', PRICE, { checkout_session: opened });
    const read = { ...opened, point_of_sale_id: POS };
    told.call('GET', `${PATH}/payment-request/${textOf(opened.id)}`, undefined, read);
  },
  'a choice by x402 that a list shows first': (told) => {
    const made = checkout(told);
    choose(told, made, ASSET);
    told.answer('GET', '/public/checkout/s900/x402', undefined, 'lost');
    told.block([{ to: address(902), token: null, amount: '5000000000000000' }]);
    told.blocksOn(3);
    told.rest();
    const listed = { ...made, status: 'completed', unique_asset_id: COIN, address: address(902) };
    told.call('GET', `${PATH}/payment-request`, undefined, {
      data: [{ ...listed, payment_options: undefined }],
      ...{ total: 1, page: 1, page_size: 50, total_pages: 1 },
    });
  },
};

const WRONG: Record<string, readonly [string, Tale]> = {
  'an offer by x402 at another address than the session shows': [
    'an asset keeps its address',
    (told) => {
      const made = checkout(told);
      const accepts = [{ asset: TOKEN, payTo: address(902), amount: '10000000' }];
      const answer = { status: 402, headers: {}, body: { accepts } };
      told.answer('GET', '/public/checkout/s900/x402', undefined, answer);
      choose(told, made, ASSET);
    },
  ],
  'a window that has ended, ended again later': [
    'expires_at',
    (told) => {
      pos(told, 'online', [ASSET]);
      const made = direct(told, 970);
      told.pass(700);
      told.block();
      told.call('GET', `${PATH}/payment-request/${uuid(970)}`, undefined, { ...made, status: 'expired' });
      told.pass(1);
      const again = { ...made, status: 'expired', expires_at: told.iso(told.now + 5) };
      told.call('POST', `${PATH}/payment-request/${uuid(970)}/expire`, undefined, again);
    },
  ],
  'an asset that nobody chose': [
    'an asset is selected by somebody',
    (told) => read(told, checkout(told), 'created', { selected: selected(COIN, 901) }),
  ],
  'an asset that is no option': [
    'what must be refused is refused',
    (told) => {
      pos(told, 'online', [ASSET, COIN]);
      told.call(
        'POST',
        `${PATH}/payment-request-checkout`,
        PRICE,
        session(told, 900, {
          payment_options: [option(ASSET)],
          status: 'created',
          selected: selected(ASSET, 901),
        }),
      );
      told.pass(1);
      told.call('POST', '/public/checkout/s900/select-asset', { unique_asset_id: COIN }, {});
    },
  ],
  'a peg that is none': [
    'a price without a rate is 1:1',
    (told) => void checkout(told, { payment_options: [{ ...option(ASSET), amount: '10.01' }, option(COIN)] }),
  ],
  'a rate that moves': [
    'an asset keeps its amount',
    (told) => {
      const made = checkout(told);
      choose(told, made, COIN);
      read(told, made, 'created', { selected: { ...selected(COIN, 901), amount: '0.006' } });
    },
  ],
  'an asset that was chosen before two others at once': [
    'the asset that was chosen',
    (told) => {
      const made = checkout(told);
      choose(told, made, ASSET);
      told.pass(1);
      const sentAt = told.now;
      chooseAndSee(told, made, COIN, selected(COIN, 902), { sentAt });
      chooseAndSee(told, made, TOKEN, selected(ASSET, 901), { sentAt });
    },
  ],
  'another asset than was chosen': [
    'the asset that was chosen',
    (told) => chooseAndSee(told, checkout(told), COIN, selected(ASSET, 901)),
  ],
  'an asset that was chosen before another': [
    'the asset that was chosen last is shown',
    (told) => {
      const made = checkout(told);
      choose(told, made, ASSET);
      choose(told, made, COIN);
      read(told, made, 'created', { selected: selected(ASSET, 901) });
    },
  ],
  'another asset after a payment': [
    'what must be refused is refused',
    (told) => {
      const made = checkout(told);
      choose(told, made, ASSET);
      told.block([{ to: address(901), amount: '1000000' }]);
      read(told, made, 'processing', { selected: selected(ASSET, 901) });
      told.pass(1);
      choose(told, made, COIN);
    },
  ],
  'a session made by reading': [
    'reading creates nothing',
    (told) => {
      link(told);
      told.call('GET', '/public/payment-links/c1/checkout', undefined, {
        checkout_session: session(told, 960),
      });
    },
  ],
  'a replaced request that stays open': [
    'expires_at',
    (told) => {
      pos(told, 'physical', [ASSET]);
      const first = direct(told, 970);
      direct(told, 971);
      told.call('GET', `${PATH}/payment-request/${uuid(970)}`, undefined, first);
    },
  ],
  'a window that is ended though a payment was seen': [
    'what must be refused is refused',
    (told) => {
      const first = direct(told, 970);
      told.block([{ to: address(970), amount: '1000000' }]);
      told.call('GET', `${PATH}/payment-request/${uuid(970)}`, undefined, { ...first, status: 'processing' });
      told.pass(1);
      told.call('POST', `${PATH}/payment-request/${uuid(970)}/expire`, undefined, first);
    },
  ],
};

describe('what payers see, for the model', () => {
  takes(RIGHT);

  finds(WRONG);
});
