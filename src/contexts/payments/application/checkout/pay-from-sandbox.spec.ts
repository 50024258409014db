import { beforeEach, describe, expect, it } from '@jest/globals';
import { FixedCatalogue, ASSET } from '#contexts/point-of-sale/testing/fixed-catalogue.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import { CheckoutQueries } from './checkout-session.js';
import type { CheckoutView, SelectedAssetView } from '../requests/payment-request-view.js';
import { PayFromSandbox, type SandboxPaymentKind, SandboxWallet } from './pay-from-sandbox.js';

const SESSION = 'a'.repeat(32);
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

class OneSessionQueries extends CheckoutQueries {
  view: CheckoutView | undefined;

  find = async (sessionId: string) => (sessionId === SESSION ? this.view : undefined);
  findByRequests = async () => [];
  newestReadBlocks = async () => new Map<string, number>();
}

class RecordingWallet extends SandboxWallet {
  isConfigured = true;
  readonly paid: { uniqueAssetId: string; address: string; amount: bigint; notBefore: Date | undefined }[] =
    [];

  async pay(
    { uniqueAssetId, address }: { uniqueAssetId: string; address: string },
    amount: bigint,
    notBefore?: Date,
  ) {
    this.paid.push({ uniqueAssetId, address, amount, notBefore });
  }
}

let session: OneSessionQueries;
let wallet: RecordingWallet;
let payFromSandbox: PayFromSandbox;

beforeEach(() => {
  session = new OneSessionQueries();
  wallet = new RecordingWallet();
  payFromSandbox = new PayFromSandbox(session, new FixedCatalogue(), wallet);
});

function setSelectedSession(
  amount: bigint,
  received: bigint,
  status: PaymentRequestStatus = 'created',
): void {
  const selected: SelectedAssetView = {
    network: 'polygon',
    uniqueAssetId: ASSET,
    currency: 'USDC',
    decimals: 6,
    amount,
    address: ADDRESS,
    receivedAmount: received,
    headNumber: 100,
    transfers: [],
  };
  session.view = { ...unselectedSession(status), selected };
}

function unselectedSession(status: PaymentRequestStatus): CheckoutView {
  return {
    status,
    expiresAt: new Date('2030-01-01T00:08:00.250Z'),
    sessionId: SESSION,
    paymentOptions: [ASSET],
  } as unknown as CheckoutView;
}

describe('A payment from the sandbox', () => {
  it.each<[SandboxPaymentKind, bigint, bigint, bigint]>([
    ['exact', 12_500_000n, 5_000_000n, 7_500_000n],
    ['less', 12_500_000n, 0n, 6_250_000n],
    ['less', 1n, 0n, 1n],
    ['more', 12_500_000n, 12_499_999n, 2n],
    ['more', 11n, 0n, 14n],
    ['late', 12_500_000n, 500_000n, 12_000_000n],
  ])(
    'pays the amount that the payer chooses: "%s" of %d requested and %d received is %d',
    async (how, asked, received, amount) => {
      setSelectedSession(asked, received, received === 0n ? 'created' : 'processing');

      await payFromSandbox.pay(SESSION, how);

      expect(wallet.paid).toMatchObject([{ uniqueAssetId: ASSET, address: ADDRESS, amount }]);
    },
  );

  it('is sent in the first second after the grace if it is to be late, and immediately otherwise', async () => {
    setSelectedSession(10n, 0n);

    for (const how of ['late', 'exact', 'less', 'more'] as const) await payFromSandbox.pay(SESSION, how);

    const times = wallet.paid.map(({ notBefore }) => notBefore?.toISOString());
    expect(times).toEqual(['2030-01-01T00:09:01.250Z', undefined, undefined, undefined]);
  });

  it('is rejected and not sent for a session that cannot be paid', async () => {
    const refusal = () => payFromSandbox.pay(SESSION, 'exact');

    session.view = unselectedSession('pending');
    await expect(refusal()).rejects.toMatchObject({ code: 'state_conflict' });
    setSelectedSession(10n, 10n, 'processing');
    await expect(refusal()).rejects.toMatchObject({ code: 'state_conflict' });
    for (const status of ['completed', 'expired', 'failed'] as const) {
      setSelectedSession(10n, 0n, status);
      await expect(refusal()).rejects.toMatchObject({ code: 'state_conflict' });
    }
    await expect(payFromSandbox.pay('unknown', 'exact')).rejects.toMatchObject({ code: 'not_found' });
    expect(wallet.paid).toEqual([]);
  });

  it('is not found if no sandbox wallet is configured', async () => {
    setSelectedSession(10n, 0n);
    wallet.isConfigured = false;

    await expect(payFromSandbox.pay(SESSION, 'exact')).rejects.toMatchObject({ code: 'not_found' });

    expect(wallet.paid).toEqual([]);
  });
});
