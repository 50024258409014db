import { describe, expect, it } from '@jest/globals';
import { currencyDigits } from '#shared/kernel/currency.js';
import { PAGE_LANGUAGES } from '#shared/web/messages/languages.js';
import { TYPED_AMOUNTS } from '#shared/kernel/testing/typed-amounts.js';
import { joinedModules } from '#shared/web/script/joined-modules.js';
import { TILL_PAGE_ASSETS, TILL_SCRIPT_MODULES, TILL_MESSAGES } from '../pages/till-assets.js';
import { renderTillPage } from '../pages/till-page.js';

interface Rules {
  tipOf(amount: string, percentage: number, coin: string): string;
  entryAfterKey(entry: string, key: string): string;
  findPriceEntryProblem(entry: string, coin: string): object | string | undefined;
  entryToAmount(entry: string): string;
  sumPrices(amounts: string[]): string;
  multiplyPrice(amount: string, quantity: number): string;
  formatPrice(amount: string, coin: string, language: string): string;
  formatPriceEntry(entry: string, coin: string, language: string): string;
  saleStateOf(sale: object, now: number): string;
  currencyPlaces(coin: string): number | undefined;
  toneOf(state: string): string;
  isPayable(state: string): boolean;
  missingAmountOf(payment: object): string;
  coinOf(payment: object): string;
}

const PURE = TILL_SCRIPT_MODULES.filter(({ pathname }) => /units|prices|payment-state/.test(pathname));
const names =
  'tipOf, entryAfterKey, findPriceEntryProblem, entryToAmount, sumPrices, multiplyPrice, formatPrice, formatPriceEntry, saleStateOf, currencyPlaces, ' +
  'toneOf, isPayable, missingAmountOf, coinOf';
const rules = new Function(`${joinedModules(PURE)}\nreturn { ${names} };`)() as Rules;

describe('A price at the till', () => {
  it.each(TYPED_AMOUNTS)('is read from the keyboard: %j as %s', (typed, amount) => {
    const keys = [...typed].map((sign) => (/[.,]/.test(sign) ? 'point' : sign));
    const entry = keys.reduce((before, key) => rules.entryAfterKey(before, key), '');
    const problem = rules.findPriceEntryProblem(entry, 'USDC');

    if (amount === 'refused') expect(problem).toBe('unreadable');
    else if (amount === 'ambiguous') expect(problem).toHaveProperty('whole');
    else expect([problem, rules.entryToAmount(entry)]).toEqual([undefined, rules.entryToAmount(amount)]);
  });

  it.each([
    ['12.345', 'EUR', { whole: '12345', fraction: '12.3450' }],
    ['1234.567', 'EUR', 'unreadable'],
    ['500.5', 'JPY', 'unreadable'],
    ['1.000', 'JPY', { whole: '1000', fraction: '1.0000' }],
  ])('is rejected if it has too many decimals: %s in %s', (entry, coin, problem) => {
    expect(rules.findPriceEntryProblem(entry, coin)).toEqual(problem);
    expect(rules.formatPriceEntry(entry, coin, 'es')).toContain(entry);
  });

  it('allows zeros behind the smallest unit of its coin', () => {
    expect(rules.findPriceEntryProblem('1234.560', 'EUR')).toBeUndefined();
  });

  it.each([
    ['10.10', 5, 'EUR', '0.51'],
    ['10.09', 5, 'EUR', '0.5'],
    ['1010', 15, 'JPY', '152'],
    ['9007199254740993.01', 100, 'EUR', '9007199254740993.01'],
    ['0.125', 10, 'USDC', '0.013'],
  ])('is raised by a tip in percent: %s with %d percent in %s by %s', (amount, percentage, coin, tip) => {
    expect(rules.tipOf(amount, percentage, coin)).toBe(tip);
  });

  it('has as many digits as the service for each currency', () => {
    const coins = Intl.supportedValuesOf('currency').filter((coin) => currencyDigits(coin) !== undefined);

    expect(coins.filter((coin) => rules.currencyPlaces(coin) !== currencyDigits(coin))).toEqual([]);
  });

  it('loses no digit when it is added up', () => {
    expect(rules.sumPrices(['9007199254740993.1', '0.2', rules.multiplyPrice('0.1', 3)])).toBe(
      '9007199254740993.6',
    );
  });

  it('is formatted in the language, and as far as it is typed while it is typed', () => {
    expect(rules.formatPrice('1234.5', 'EUR', 'pt')).toBe('€\u00a01.234,50');
    expect(rules.formatPrice('12.5', 'USDC', 'en')).toBe('12.5\u00a0USDC');
    expect(['', '12', '12.', '12.5'].map((entry) => rules.formatPriceEntry(entry, 'USD', 'en'))).toEqual([
      '$0',
      '$12',
      '$12.',
      '$12.5',
    ]);
  });
});

describe('A sale at the till', () => {
  const END = '2026-03-01T12:08:00.000Z';
  const before = Date.parse(END) - 1;
  const request = (status: string, received = '0', missing = '5', fulfilled = false) => ({
    ...{ status, fulfilled, amount: '5', received_amount: received, expires_at: END },
    selected: { missing_amount: missing },
  });

  it.each([
    ['sending', {}, before],
    ['waiting', { request: request('pending') }, before],
    ['waiting', { request: request('created') }, before],
    ['closing', { request: request('created') }, before + 1],
    ['partly', { request: request('processing', '2', '3') }, before],
    ['closing', { request: request('processing', '2', '3') }, before + 1],
    ['seen', { request: request('processing', '5', '0') }, before + 1],
    ['waiting', { request: request('processing') }, before],
    ['paid', { request: request('completed', '5', '0', true) }, before],
    ['overpaid', { request: request('overpaid', '6', '0', true) }, before],
    ['accepted', { request: request('underpaid', '4.9', '0.1', true) }, before],
    ['underpaid', { request: request('underpaid', '2', '3') }, before],
    ['expired', { request: request('expired') }, before],
    ['failed', { request: request('failed') }, before],
    ['cancelling', { request: request('created'), isCancelling: true }, before],
    ['cancelled', { request: request('created'), isCancelling: true, isCancelled: true }, before],
    ['cancelled', { request: request('expired'), isCancelled: true }, before],
    ['seen', { request: request('processing', '5', '0'), isCancelled: true }, before],
    ['paid', { request: request('completed', '5', '0', true), isCancelled: true }, before],
  ])('has the state %s', (state, sale, now) => {
    expect(rules.saleStateOf(sale, now)).toBe(state);
  });

  it.each([
    ['good', ['paid', 'overpaid', 'accepted']],
    ['bad', ['underpaid', 'expired', 'failed', 'cancelled']],
    ['care', ['partly', 'seen', 'closing']],
    ['calm', ['sending', 'waiting', 'cancelling']],
  ])('has the tone %s in the states %j', (tone, states) => {
    expect(states.map(rules.toneOf)).toEqual(states.map(() => tone));
    expect(states.filter(rules.isPayable)).toEqual(states.filter((state) => /waiting|partly/.test(state)));
  });

  it('lacks the amount of the chosen asset, or else of its price', () => {
    const payment = { amount: '5', received_amount: '2' };

    expect(rules.missingAmountOf({ ...payment, selected: { missing_amount: '3.1' } })).toBe('3.1');
    expect([rules.missingAmountOf(payment), rules.missingAmountOf({ amount: '5' })]).toEqual(['3', '5']);
    expect(rules.missingAmountOf({ ...payment, received_amount: '6' })).toBe('0');
    expect([
      rules.coinOf({ coin_code: 'EUR', currency: 'USDC' }),
      rules.coinOf({ currency: 'USDC' }),
    ]).toEqual([...['EUR', 'USDC']]);
  });
});

describe('The page of the till', () => {
  it('has unique names in all modules, which share one scope', () => {
    // Inside a block, declaring two functions with the same name is a syntax error.
    expect(() => new Function(`'use strict'; {${joinedModules(TILL_SCRIPT_MODULES)}}`)).not.toThrow();
  });

  it.each(PAGE_LANGUAGES)(
    'contains every element that its script needs, within 70 kB, in the language %s',
    (language) => {
      const html = renderTillPage({ sandbox: false, dashboardUrl: 'https://pay.example/appState' }, language);
      const { script } = TILL_MESSAGES[language];
      const asked = [
        ...joinedModules(TILL_SCRIPT_MODULES).matchAll(/\bbyId\('([\w-]+)'\)|\bwrite\('([\w-]+)'/g),
      ];

      expect(
        asked.map(([, one, other]) => one ?? other).filter((id) => !html.includes(`id="${id}"`)),
      ).toEqual([]);
      expect(Object.keys(script.notes)).toEqual(Object.keys(script.states));
      expect(Buffer.byteLength(html)).toBeLessThan(70_000);
      expect(TILL_PAGE_ASSETS[language].isInstallable).toBe(true);
    },
  );
});
