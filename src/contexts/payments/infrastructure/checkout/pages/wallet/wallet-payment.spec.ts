import { describe, expect, it } from '@jest/globals';
import { WALLET_MESSAGES } from '../page-scripts.js';
import { HASH, readyPage, type Answer } from '../testing/ready-wallet.js';

const text = WALLET_MESSAGES.en;

describe('A wallet transaction without a block', () => {
  it('offers a second payment two minutes after the confirmation if the network does not know the first', async () => {
    const { script, wallet, clock, buttons, send } = readyPage();
    wallet.set('eth_sendTransaction', () => {
      clock.ms += 150_000;
      return HASH;
    });
    await send();
    await script.look();
    expect(script.screen()).toMatchObject({ note: text.sent, actions: [] });
    clock.ms += 121_000;

    expect(buttons()).toEqual([text.cancelled]);
    expect(script.screen().more).toContain(text.stuck);
  });

  it.each<[string, string, Answer]>([
    ['the network knows it', 'eth_getTransactionByHash', () => ({ hash: HASH })],
    ['the wallet is on another network', 'eth_chainId', () => '0x1'],
    ['the wallet does not answer', 'eth_getTransactionByHash', () => Promise.reject(new Error('no'))],
  ])('offers no second payment if %s', async (_, method, answer) => {
    const { script, wallet, clock, buttons, send } = readyPage();
    wallet.set('eth_sendTransaction', () => HASH);
    await send();
    await script.look();
    clock.ms += 121_000;
    wallet.set(method, answer);
    await script.look().catch(() => undefined);

    expect(buttons()).toEqual([]);
  });
});

describe('A wallet that fails to send', () => {
  it.each<[string, object]>([
    ['another question is open', { code: -32002 }],
    ['it is disconnected', { code: 4900 }],
    ['a fault is unknown', { code: -32603 }],
  ])('leaves open whether it has sent if %s', async (_, error) => {
    const { script, wallet, asked, send } = readyPage();
    wallet.set('eth_sendTransaction', () => Promise.reject(error));
    await send();
    await send();

    expect(script.screen()).toMatchObject({ note: text.maybe, actions: [{ label: text.startAgain }] });
    expect(asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
  });

  it.each([4001, 4902])('has sent nothing with code %d', async (code) => {
    const { wallet, buttons, send } = readyPage();
    wallet.set('eth_sendTransaction', () => Promise.reject({ code }));
    await send();

    expect(buttons()).toEqual([text.retry]);
  });
});

describe('A signed authorization', () => {
  const taken = (data: object) => ({ status: 202, body: { data } });
  const refused = (code: string) => ({ status: 409, body: { status: 'error', code, message: 'No.' } });

  it('is received only once the service has answered', async () => {
    const { script, service, sign } = readyPage();
    await sign();
    expect(script.screen()).toMatchObject({ note: text.handingOver, actions: [] });
    service.authorization = taken({ status: 'queued' });
    await script.look();

    expect(script.screen()).toMatchObject({ note: text.signed, actions: [] });
  });

  it('is polled until the service has seen its transfer', async () => {
    const { script, service, sign } = readyPage();
    service.authorization = taken({ status: 'sent', transaction_hash: HASH });
    await sign();
    expect(script.screen()).toMatchObject({ link: { hash: HASH } });
    service.authorization = taken({ status: 'seen', transaction_hash: HASH });
    await script.look();
    await script.look();

    expect(service.posted).toHaveLength(2);
    expect(script.screen()).toMatchObject({ note: text.signed, link: { hash: HASH } });
  });

  it('offers a retry if it fails after its hash was shown', async () => {
    const { script, service, buttons, sign } = readyPage();
    service.authorization = taken({ status: 'sent', transaction_hash: HASH });
    await sign();
    service.authorization = refused('authorization_refused');
    await script.look();

    expect(script.screen()).toMatchObject({ note: text.reverted, more: ['No.'] });
    expect(buttons()).toEqual([text.retry]);
  });

  it('offers no other payment if it conflicts with another one', async () => {
    const { script, service, sign } = readyPage();
    service.authorization = refused('state_conflict');
    await sign();

    expect(script.screen()).toMatchObject({ note: text.conflict, more: ['No.'], actions: [] });
  });

  it('is kept if the session changes after the service accepted it', async () => {
    const { script, service, sign } = readyPage();
    service.authorization = taken({ status: 'queued' });
    await sign();
    service.authorization = refused('state_conflict');
    await script.look();

    expect(script.screen()).toMatchObject({ note: text.signed, actions: [] });
  });
});

describe('The end of the payment window', () => {
  it.each<[string, string, string | undefined, string]>([
    ['is nearly over', '0:14', '8453', text.nearlyOver],
    ['has ended, so that the page shows nothing to pay', '0:00', undefined, text.changed],
  ])('stops a request to the wallet if the window %s', async (_, left, chainId, words) => {
    const { script, asked, service, send, sign } = readyPage();
    Object.assign(service, { left, chainId });
    for (const pay of [send, sign]) {
      await pay();
      expect(script.screen()).toMatchObject({ note: words });
    }

    expect(asked).toEqual(['eth_accounts', 'eth_chainId', 'eth_accounts', 'eth_chainId']);
  });
});

describe('An unnamed wallet', () => {
  it('is not blamed for an unreadable answer of the service', async () => {
    const { script, service, send } = readyPage();
    service.session.body = undefined;
    await send();

    expect(script.screen().note).toBe(text.unreachable);
  });
});
