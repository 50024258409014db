import { describe, expect, it } from '@jest/globals';
import { encodeFunctionData, hashTypedData, parseAbi } from 'viem';
import { joinedModules } from '#shared/web/script/joined-modules.js';
import { WALLET_SCRIPT_MODULES } from '../page-scripts.js';

interface Calls {
  formatUnits(units: bigint, decimals: number): string;
  formatFee(units: bigint, decimals: number): string;
  parseUnits(text: string, decimals: number): bigint | undefined;
  balanceOfData(holder: string): string;
  transferData(to: string, units: bigint): string;
  paymentOf(facts: object, from: string): object;
  typedTransfer(domain: object, authorization: object, to: string): Parameters<typeof hashTypedData>[0];
  problemOf(error: unknown): { kind: string; detail: string };
  filled(template: string, words: Record<string, string>): string;
}

/** Loads the functions as a browser does, in a page without a session. */
function inBrowser(): Calls {
  const names =
    'formatUnits, formatFee, parseUnits, balanceOfData, transferData, paymentOf, typedTransfer, problemOf, filled';
  const element = { setAttribute: () => undefined, append: () => undefined };
  const page = { querySelector: () => null, createElement: () => element };
  const run = new Function(
    'document',
    'window',
    'TEXTS',
    `${joinedModules(WALLET_SCRIPT_MODULES)}\nreturn { ${names} };`,
  );
  return run(page, { browserWallets: [] }, {}) as Calls;
}

const {
  formatUnits,
  formatFee,
  parseUnits,
  balanceOfData,
  transferData,
  paymentOf,
  typedTransfer,
  problemOf,
} = inBrowser();

const PAYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const FORWARDER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const ABI = parseAbi(['function transfer(address, uint256)', 'function balanceOf(address)']);

describe('The request to a wallet', () => {
  it.each([0n, 1n, 12_500_000n, 2n ** 256n - 1n])(
    'encodes a token transfer as the ABI does: %s units',
    (units) => {
      const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [FORWARDER, units] });

      expect(transferData(FORWARDER, units)).toBe(data);
    },
  );

  it('encodes a balance query as the ABI does', () => {
    expect(balanceOfData(PAYER)).toBe(
      encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [PAYER] }),
    );
  });

  it('sends native coin to the address, and tokens through their contract without coin', () => {
    const facts = { token: '', to: FORWARDER, units: 10n ** 16n, chainId: 1 };

    expect(paymentOf(facts, PAYER)).toEqual({
      from: PAYER,
      to: FORWARDER,
      value: '0x2386f26fc10000',
      chainId: '0x1',
    });
    expect(paymentOf({ ...facts, token: TOKEN }, PAYER)).toEqual({
      from: PAYER,
      to: TOKEN,
      value: '0x0',
      data: transferData(FORWARDER, 10n ** 16n),
      chainId: '0x1',
    });
  });

  it('has the typed data of EIP-712 and EIP-3009', () => {
    const domain = { name: 'USD Coin', version: '2', chain_id: 1, verifying_contract: TOKEN };
    const nonce = `0x${'a7'.repeat(32)}` as const;
    const authorization = {
      from: PAYER,
      value: '27182819',
      valid_after: '0',
      valid_before: '1772366400',
      nonce,
    };

    expect(hashTypedData(typedTransfer(domain, authorization, FORWARDER))).toBe(
      hashTypedData({
        domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: TOKEN },
        primaryType: 'TransferWithAuthorization',
        types: {
          TransferWithAuthorization: [
            { name: 'from', type: 'address' },
            { name: 'to', type: 'address' },
            { name: 'value', type: 'uint256' },
            { name: 'validAfter', type: 'uint256' },
            { name: 'validBefore', type: 'uint256' },
            { name: 'nonce', type: 'bytes32' },
          ],
        },
        message: {
          from: PAYER,
          to: FORWARDER,
          value: 27_182_819n,
          validAfter: 0n,
          validBefore: 1_772_366_400n,
          nonce,
        },
      }),
    );
  });
});

describe('The format of amounts in wallet payments', () => {
  it.each([
    [0n, 6, '0'],
    [1n, 6, '0.000001'],
    [12_500_000n, 6, '12.5'],
    [10n ** 30n, 18, '1000000000000'],
    [7n, 0, '7'],
  ])(
    'shows units as a decimal number and parses it back: %s units with %s decimals as %s',
    (units, decimals, text) => {
      expect(formatUnits(units, decimals)).toBe(text);
      expect(parseUnits(text, decimals)).toBe(units);
    },
  );

  it.each(['', '-1', '1e3', '1.', '.5', '0x10', '1,5', '0.0000001'])(
    'does not parse a text that is not a plain decimal: "%s"',
    (text) => {
      expect(parseUnits(text, 6)).toBeUndefined();
    },
  );

  it('rounds fees upward, to four significant digits', () => {
    expect(formatFee(21_000n * 1_234_567_890n, 18)).toBe('0.00002593');
    expect(formatFee(9_999_900n, 6)).toBe('10');
    expect(formatFee(12n, 18)).toBe('0.000000000000000012');
  });
});

describe('The answer of a wallet', () => {
  it.each([
    [{ code: 4001 }, 'rejected'],
    [{ code: '-32002' }, 'pending'],
    [{ code: -32002, data: { httpStatus: 503 } }, 'failed'],
    [{ code: -32603, data: { originalError: { code: 4902 } } }, 'unknownNetwork'],
    [{ code: -32000, message: 'insufficient funds for gas * price + value' }, 'tooLittleGas'],
    [{ code: -32603, message: 'Internal error' }, 'failed'],
    ['no', 'failed'],
    [undefined, 'failed'],
  ])('is classified by its code: %j as %s', (error, kind) => {
    expect(problemOf(error).kind).toBe(kind);
  });
});
