import type {
  CheckoutPageModel,
  PagePaymentOption,
  PageSelectedAsset,
} from '../../infrastructure/checkout/pages/checkout-page-model.js';
import type { LinkPageModel } from '../../infrastructure/links/http/link-page.js';

const NOW = new Date('2026-03-01T12:00:00Z');

/** Does not compress, like a real one. @param length in characters */
export function sampleToken(length: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  let seed = 42;
  let token = 'v4.public.';
  while (token.length < length) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    token += alphabet[seed >> 25]!;
  }
  return token;
}

export const USDC: PagePaymentOption = {
  uniqueAssetId: 'nerc20_t0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  symbol: 'USDC',
  assetName: 'USD Coin',
  networkName: 'Ethereum',
  amount: '27.182819',
  networkFee: { amount: '0.21', coinCode: 'EUR', isLess: false, feeCoin: 'ETH' },
};
const OTHERS: PagePaymentOption[] = [
  {
    ...{
      ...USDC,
      uniqueAssetId: 'npolygon_t0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
      networkName: 'Polygon',
    },
    networkFee: { amount: '0.01', coinCode: 'EUR', isLess: true, feeCoin: 'POL' },
  },
  {
    ...{ uniqueAssetId: 'nerc20_t0x1abaea1f7c830bd89acc67ec4af516284b1bc33c', symbol: 'EURC' },
    ...{ assetName: 'Euro Coin', networkName: 'Ethereum' },
  },
];

function transferOf(amount: bigint): string {
  const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  return `ethereum:${token}@1/transfer?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=${amount}`;
}

export const SELECTED: PageSelectedAsset = {
  ...USDC,
  amount: '27.182819',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  transferUri: transferOf(27_182_819n),
  code: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  receivedAmount: '0',
  missingAmount: '27.182819',
  missingUnits: 27_182_819n,
  wallets: {
    ...{ chainId: 1, token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', decimals: 6, nativeSymbol: 'ETH' },
    ...{ rpcUrl: 'https://rpc.example/ethereum', explorerUrl: 'https://scan.example' },
  },
  ...{ confirmations: 0, requiredConfirmations: 5, confirmationSeconds: 60 },
  isPending: false,
  rate: '0.91969',
  mayChange: true,
};

const HASH = '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd';

/** A session that waits for 25 euros of a coffee shop, in three assets; nothing is chosen. */
export function pendingPage(changes: Partial<CheckoutPageModel> = {}): CheckoutPageModel {
  const token = sampleToken(700);
  return {
    sessionId: 'Zk9mQ2x1c3RlckNvZmZlZTAxMjM0NTY3',
    reference: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    way: 'address',
    status: 'pending',
    fulfilled: false,
    merchant: { name: 'Corner Coffee', description: 'Coffee and cake, Lisbon' },
    order: {
      total: '25.00',
      coin_code: 'EUR',
      description: 'Table 7',
      items: [
        { description: 'Flat white', amount: '8.00', coin_code: 'EUR', unit_price: '4.00', quantity: 2 },
        { description: 'Cheesecake', amount: '17.00', coin_code: 'EUR', quantity: 1 },
      ],
    },
    amount: '25.00',
    coinCode: 'EUR',
    options: [USDC, ...OTHERS],
    token,
    wallets: [
      { name: 'Harbour Wallet', url: `https://wallet.example/pay?naspip_token=${token}` },
      { name: 'Pocket', url: `pocket://pay?naspip_token=${token}` },
    ],
    now: NOW,
    expiresAt: new Date(NOW.getTime() + 432_000),
    returnUrl: 'https://shop.example/thanks?payment_request_id=1&status=pending',
    etag: '"1"',
    frameOrigins: ['https://shop.example', 'https://www.shop.example'],
    sandbox: false,
    ...changes,
  };
}

export function selectedPage(
  status: CheckoutPageModel['status'],
  selected: Partial<PageSelectedAsset> = {},
  changes: Partial<CheckoutPageModel> = {},
): CheckoutPageModel {
  const fulfilled = status === 'completed' || status === 'overpaid';
  return pendingPage({ status, fulfilled, selected: { ...SELECTED, ...selected }, ...changes });
}

const SEEN = {
  transactionHash: HASH,
  transactionUrl: `https://explorer.example/tx/${HASH}`,
  paidAt: new Date(NOW.getTime() + 60_000),
};
const PARTLY = {
  receivedAmount: '10.5',
  missingAmount: '16.682819',
  missingUnits: 16_682_819n,
  transferUri: transferOf(16_682_819n),
  confirmations: 1,
  ...SEEN,
  mayChange: false,
};
const WHOLLY = {
  receivedAmount: '27.182819',
  missingAmount: '0',
  missingUnits: 0n,
  transferUri: transferOf(0n),
  confirmations: 5,
  ...SEEN,
  mayChange: false,
};

const BITCOIN_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

export const BITCOIN: PageSelectedAsset = {
  ...{ uniqueAssetId: 'nbitcoin_tBTC', symbol: 'BTC', assetName: 'Bitcoin', networkName: 'Bitcoin' },
  networkFee: { amount: '0.42', coinCode: 'EUR', isLess: false },
  ...{ amount: '0.00027183', receivedAmount: '0', missingAmount: '0.00027183', missingUnits: 27_183n },
  address: BITCOIN_ADDRESS,
  transferUri: `bitcoin:${BITCOIN_ADDRESS}?amount=0.00027183`,
  code: `bitcoin:${BITCOIN_ADDRESS.toUpperCase()}?amount=0.00027183`,
  ...{ confirmations: 0, requiredConfirmations: 3, confirmationSeconds: 1800 },
  ...{ isPending: false, pendingGraceSeconds: 86_400, rate: '91969', mayChange: true },
};
const BITCOIN_SEEN: PageSelectedAsset = {
  ...BITCOIN,
  receivedAmount: '0.00027183',
  missingAmount: '0',
  missingUnits: 0n,
  transactionHash: HASH.slice(2),
  transactionUrl: `https://explorer.example/tx/${HASH.slice(2)}`,
  paidAt: SEEN.paidAt,
  isPending: true,
  mayChange: false,
};

export const EVERY_PAGE: Record<string, CheckoutPageModel> = {
  pending: pendingPage(),
  'pending, code first': pendingPage({ way: 'code' }),
  created: selectedPage('created'),
  'created, code first': selectedPage('created', {}, { way: 'code' }),
  'created in the sandbox': selectedPage('created', {}, { sandbox: true }),
  'paid in another asset': selectedPage(
    'created',
    {},
    { uncounted: [{ amount: '25', symbol: 'EURC', networkName: 'Ethereum' }] },
  ),
  'partly paid': selectedPage('processing', PARTLY),
  confirming: selectedPage('processing', { ...WHOLLY, confirmations: 2 }),
  closed: selectedPage('created', {}, { expiresAt: NOW }),
  'closed, partly paid': selectedPage('processing', PARTLY, { expiresAt: NOW }),
  completed: selectedPage('completed', WHOLLY),
  'completed by a link': selectedPage('completed', WHOLLY, {
    linkCode: 'lunch-4711-abcd',
    returnUrl: undefined,
  }),
  underpaid: selectedPage('underpaid', PARTLY),
  'underpaid, accepted': selectedPage('underpaid', PARTLY, { fulfilled: true }),
  overpaid: selectedPage('overpaid', { ...WHOLLY, receivedAmount: '30' }),
  'overpaid and refunded': selectedPage(
    'overpaid',
    { ...WHOLLY, receivedAmount: '30' },
    {
      refunds: [
        { amount: '2', symbol: 'USDC', arrived: true, transactionHash: HASH.replaceAll('e', 'c') },
        { amount: '0.817181', symbol: 'USDC', arrived: false },
      ],
    },
  ),
  expired: selectedPage('expired'),
  'expired by a link, nothing chosen': pendingPage({ status: 'expired', linkCode: 'lunch-4711-abcd' }),
  failed: selectedPage('failed'),
  'created in bitcoin': selectedPage('created', BITCOIN),
  'unconfirmed in bitcoin': selectedPage('processing', BITCOIN_SEEN),
};

export function linkPage(changes: Partial<LinkPageModel> = {}): LinkPageModel {
  const { merchant, order, amount, coinCode, options, sandbox } = pendingPage();
  return { code: 'lunch-4711-abcd', merchant, order, amount, coinCode, options, sandbox, ...changes };
}
