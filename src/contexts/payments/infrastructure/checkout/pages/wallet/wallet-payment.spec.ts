import { describe, expect, it } from '@jest/globals';
import { WALLET_MESSAGES } from '../page-scripts.js';
import { HASH, readyPage, type Answer } from '../testing/ready-wallet.js';

const text = WALLET_MESSAGES.en;

describe('A transaction that no block has', () => {
  it('can be paid anew two minutes after the payer confirmed, once the network does not know it', async () => {
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
  ])('cannot be paid anew where %s', async (_, method, answer) => {
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

describe('A refusal of the wallet to send', () => {
  it.each<[string, object]>([
    ['another question is open', { code: -32002 }],
    ['its endpoint is not available', { code: -32002, data: { httpStatus: 503 } }],
    ['it is disconnected', { code: 4900 }],
    ['it is disconnected from the network', { code: 4901 }],
    ['a fault is unknown', { code: -32603 }],
  ])('leaves it open whether it has sent where %s', async (_, error) => {
    const { script, wallet, asked, send } = readyPage();
    wallet.set('eth_sendTransaction', () => Promise.reject(error));
    await send();
    await send();

    expect(script.screen()).toMatchObject({ note: text.maybe, actions: [{ label: text.startAgain }] });
    expect(asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
  });

  it.each([4001, 4100, 4200, 4902])('of code %d has sent nothing', async (code) => {
    const { wallet, buttons, send } = readyPage();
    wallet.set('eth_sendTransaction', () => Promise.reject({ code }));
    await send();

    expect(buttons()).toEqual([text.retry]);
  });
});

describe('A signature', () => {
  const taken = (data: object) => ({ status: 202, body: { data } });
  const refused = (code: string) => ({ status: 409, body: { status: 'error', code, message: 'No.' } });

  it('is received once the service has answered, and not before', async () => {
    const { script, service, sign } = readyPage();
    await sign();
    expect(script.screen()).toMatchObject({ note: text.handingOver, actions: [] });
    service.authorization = taken({ status: 'queued' });
    await script.look();

    expect(script.screen()).toMatchObject({ note: text.signed, actions: [] });
  });

  it('is asked after until the service has seen its transfer', async () => {
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

  it('that fails after its hash was shown leaves the payer a way on', async () => {
    const { script, service, buttons, sign } = readyPage();
    service.authorization = taken({ status: 'sent', transaction_hash: HASH });
    await sign();
    service.authorization = refused('authorization_refused');
    await script.look();

    expect(script.screen()).toMatchObject({ note: text.reverted, more: ['No.'] });
    expect(buttons()).toEqual([text.retry]);
  });

  it('that may not be paid besides another offers no other payment', async () => {
    const { script, service, sign } = readyPage();
    service.authorization = refused('state_conflict');
    await sign();

    expect(script.screen()).toMatchObject({ note: text.conflict, more: ['No.'], actions: [] });
  });

  it('that the service has taken stands, whatever the session asks for by now', async () => {
    const { script, service, sign } = readyPage();
    service.authorization = taken({ status: 'queued' });
    await sign();
    service.authorization = refused('state_conflict');
    await script.look();

    expect(script.screen()).toMatchObject({ note: text.signed, actions: [] });
  });
});

describe('A window that ends', () => {
  it.each<[string, string, string | undefined, string]>([
    ['is nearly over', '0:14', '8453', text.nearlyOver],
    ['has ended, so that the page shows nothing to pay', '0:00', undefined, text.changed],
  ])('has the wallet asked for nothing where it %s', async (_, left, chainId, words) => {
    const { script, asked, service, send, sign } = readyPage();
    Object.assign(service, { left, chainId });
    for (const pay of [send, sign]) {
      await pay();
      expect(script.screen()).toMatchObject({ note: words });
    }

    expect(asked).toEqual(['eth_accounts', 'eth_chainId', 'eth_accounts', 'eth_chainId']);
  });

  it.each(['0:15', '1:00', '1:00:00'])('has it asked with %s left', async (left) => {
    const { wallet, asked, service, send } = readyPage();
    service.left = left;
    wallet.set('eth_sendTransaction', () => HASH);
    await send();

    expect(asked).toContain('eth_sendTransaction');
  });
});

describe('A wallet without a name', () => {
  it.each([
    [4001, 'You declined in \u2068your wallet\u2069.'],
    [4200, '\u2068Your wallet\u2069 cannot do this.'],
  ])('is the payer’s own in the answer to code %d', async (code, words) => {
    const { script, wallet, send } = readyPage();
    wallet.set('eth_sendTransaction', () => Promise.reject({ code }));
    await send();

    expect(script.screen().note).toContain(words);
  });

  it('is not blamed for an answer of the service that is none', async () => {
    const { script, service, send } = readyPage();
    service.session.body = undefined;
    await send();

    expect(script.screen().note).toBe(text.unreachable);
  });
});
