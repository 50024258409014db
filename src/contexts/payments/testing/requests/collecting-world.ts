import { getAddress, type Hex } from 'viem';
import type { Asset, ConfirmationsForAmount } from '#shared/kernel/asset.js';
import { notFound } from '#shared/kernel/domain-error.js';
import { newId, type PointOfSaleId, type SettlementTermsId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { Database } from '#shared/platform/database/database.js';
import {
  NetworkCatalogue,
  type Network,
  type GasSponsorshipLimits,
} from '#contexts/networks/contract/network-catalogue.js';
import {
  OUTPUT_COIN,
  OUTPUT_CONFIGURATION,
  OUTPUT_NETWORK,
} from '#contexts/networks/testing/output-chain-type.js';
import {
  PointsOfSale,
  type PaymentPointOfSale,
  type SettlementTerms,
} from '#contexts/point-of-sale/contract/points-of-sale.js';

export const NETWORK = 'sandbox';
export const CONFIRMATIONS = 3;
export const GRACE_SECONDS = 60;

export const OTHER_NETWORK = 'polygon';
/** Another than the first network's, so that a mix-up shows. */
export const OTHER_GRACE_SECONDS = 240;

function asset(symbol: string, token: string, decimals: number, fields: Partial<Asset> = {}): Asset {
  const network = fields.network ?? NETWORK;
  return {
    uniqueAssetId: `n${network}_t${getAddress(token as Hex)}`,
    network,
    token,
    symbol,
    name: symbol,
    decimals,
    minimumAmount: 10n ** BigInt(decimals - 2),
    ...fields,
  };
}

export const DOLLAR = asset('USDX', `0x${'d1'.repeat(20)}`, 6, { peg: 'USD' });
export const EURO = asset('EURX', `0x${'e2'.repeat(20)}`, 6);
export const ETHER = asset('WETH', `0x${'37'.repeat(20)}`, 18, { minimumAmount: 10n ** 14n });
export const OTHER_DOLLAR = asset('USDX', `0x${'d3'.repeat(20)}`, 6, { network: OTHER_NETWORK, peg: 'USD' });

export const COIN: Asset = {
  ...ETHER,
  uniqueAssetId: `n${NETWORK}_tETH`,
  token: 'ETH',
  symbol: 'ETH',
  name: 'Ether',
};

const SANDBOX: Network = {
  network: NETWORK,
  name: 'Sandbox',
  family: 'evm',
  browserWallets: { chainId: 1 },
  hidesNativeTransfers: true,
  deliversDirectly: false,
  finality: { kind: 'confirmations', confirmations: CONFIRMATIONS },
  blockSeconds: 12,
  inclusionGraceSeconds: GRACE_SECONDS,
  maxLagSeconds: 400 * 86_400,
};
const POLYGON: Network = {
  ...SANDBOX,
  network: OTHER_NETWORK,
  name: 'Polygon',
  inclusionGraceSeconds: OTHER_GRACE_SECONDS,
};

export class SmallCatalogue extends NetworkCatalogue {
  taking = true;
  withdrawn: readonly Asset[] = [];

  /** @returns two networks, with a token of 18 decimals beside the others on the first and a dollar on each */
  static ofTwoNetworks(): SmallCatalogue {
    return new SmallCatalogue([SANDBOX, POLYGON], [DOLLAR, EURO, ETHER, OTHER_DOLLAR]);
  }

  static withCoin(): SmallCatalogue {
    return new SmallCatalogue([SANDBOX], [DOLLAR, EURO, COIN]);
  }

  static withWallets(): SmallCatalogue {
    const { pendingGraceSeconds: _, ...ofBlocks } = OUTPUT_CONFIGURATION;
    return new SmallCatalogue([SANDBOX, POLYGON, ofBlocks], [DOLLAR, EURO, OUTPUT_COIN]);
  }

  static withAgreementAbove(agreementAbove: bigint): SmallCatalogue {
    return new SmallCatalogue([SANDBOX], [{ ...DOLLAR, crossCheckAbove: agreementAbove }, EURO]);
  }

  /**
   * Amounts worth up to 10 dollars are final after `CONFIRMATIONS` blocks, up to 100 when their block is `safe`, and
   * others when it is `finalized`. An amount in euros has a value only by its rate.
   */
  static withConfirmationsByAmount(): SmallCatalogue {
    const finality = { kind: 'finalized', typicalConfirmations: 600 } as const;
    const rows = (oneDollar: bigint): ConfirmationsForAmount[] => [
      { upTo: 10n * oneDollar, confirmations: CONFIRMATIONS },
      { upTo: 100n * oneDollar, confirmations: 90, tag: 'safe' },
      { confirmations: 600, tag: 'finalized' },
    ];
    const euro = {
      ...EURO,
      depths: rows(1n).slice(-1),
      depthsByValue: { currency: 'USD', rows: rows(100n) },
    };
    return new SmallCatalogue(
      [{ ...SANDBOX, finality, acceptedAfter: CONFIRMATIONS }, POLYGON],
      [{ ...DOLLAR, depths: rows(1_000_000n) }, euro, ETHER, OTHER_DOLLAR],
    );
  }

  constructor(
    private configured: readonly Network[] = [SANDBOX],
    private readonly tokens: readonly Asset[] = [DOLLAR, EURO],
  ) {
    super();
  }

  withdrawNetwork(name: string): void {
    this.configured = this.configured.filter(({ network }) => network !== name);
    this.withdrawn = [...this.withdrawn, ...this.tokens.filter(({ network }) => network === name)];
  }

  /** Payments by signature are paid for on that network from now on; not any more without limits. */
  sponsor(name: string, sponsoring?: GasSponsorshipLimits): void {
    this.configured = this.configured.map((each) => {
      const { sponsoring: _, ...rest } = each;
      return each.network === name ? { ...rest, ...(sponsoring && { sponsoring }) } : each;
    });
  }

  networks(): readonly Network[] {
    return this.configured;
  }

  network(name: string): Network | undefined {
    return this.networks().find(({ network }) => network === name);
  }

  assets(): readonly Asset[] {
    return this.tokens.filter((asset) => !this.withdrawn.includes(asset));
  }

  asset(uniqueAssetId: string): Asset | undefined {
    return this.assets().find((known) => known.uniqueAssetId.toLowerCase() === uniqueAssetId.toLowerCase());
  }

  acceptsPaymentRequests(): boolean {
    return this.taking;
  }
}

export function walletTerms(name: string): SettlementTerms {
  return {
    id: newId<SettlementTermsId>(),
    network: OUTPUT_NETWORK,
    settlementAddress: `wallet(${name})`,
    feeRecipient: '',
    feeBasisPoints: 0,
  };
}

export function someTerms(network: string): SettlementTerms {
  return {
    id: newId<SettlementTermsId>(),
    network,
    settlementAddress: getAddress(`0x${'5e'.repeat(20)}`),
    feeRecipient: getAddress(`0x${'fe'.repeat(20)}`),
    feeBasisPoints: 100,
  };
}

/** Points of sale kept in memory, with the rows behind the view that a writer checks them against. */
export class KnownPointsOfSale extends PointsOfSale {
  private readonly stored = new Map<string, PaymentPointOfSale>();
  private readonly cached = new Map<string, PaymentPointOfSale>();
  forgotten = 0;

  constructor(private readonly database: Database) {
    super();
  }

  async open(fields: Partial<PaymentPointOfSale> = {}): Promise<PaymentPointOfSale> {
    const point: PaymentPointOfSale = {
      id: newId(),
      organizationId: newId(),
      accountId: newId(),
      type: 'online',
      merchant: { name: 'Corner Coffee' },
      paymentOptions: [DOLLAR.uniqueAssetId],
      frameOrigins: [],
      checkoutFirst: 'address',
      openAmount: false,
      terms: new Map([[NETWORK, someTerms(NETWORK)]]),
      version: '1.0',
      ...fields,
    };
    await this.database.query(
      `WITH organization AS (
         INSERT INTO identity.organizations (id, name, created_at, updated_at)
         VALUES ($1, 'Organization', platform.now(), platform.now()) ON CONFLICT DO NOTHING)
       INSERT INTO identity.accounts (id, organization_id, name, created_at, updated_at)
       VALUES ($2, $1, 'Account', platform.now(), platform.now()) ON CONFLICT DO NOTHING`,
      [point.organizationId, point.accountId],
    );
    await this.database.query(
      `INSERT INTO point_of_sale.points_of_sale (id, organization_id, account_id, name, type, merchant_name,
         payment_options, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $4, $6, platform.now(), platform.now())`,
      [
        point.id,
        point.organizationId,
        point.accountId,
        point.merchant.name,
        point.type,
        point.paymentOptions,
      ],
    );
    this.stored.set(point.id, point);
    return point;
  }

  async change(point: PaymentPointOfSale, change: Partial<PaymentPointOfSale>): Promise<void> {
    const [row] = await this.database.query<{ version: string }>(
      `UPDATE point_of_sale.points_of_sale SET version = version + 1 WHERE id = $1 RETURNING version || '.0' AS version`,
      [point.id],
    );
    this.stored.set(point.id, { ...this.stored.get(point.id)!, version: row!.version, ...change });
  }

  async find(scope: TenantScope, id: PointOfSaleId): Promise<PaymentPointOfSale> {
    const point = this.cached.get(id) ?? this.stored.get(id);
    if (point === undefined || point.organizationId !== scope.organizationId) throw notFound('point of sale');
    if (scope.accountId !== null && scope.accountId !== point.accountId) throw notFound('point of sale');
    this.cached.set(id, point);
    return point;
  }

  async findByCode(code: string): Promise<PaymentPointOfSale> {
    const point = this.stored.get(code);
    if (point?.type !== 'physical') throw notFound('point of sale');
    return this.find(point, point.id);
  }

  forget(id: PointOfSaleId): void {
    this.forgotten += 1;
    this.cached.delete(id);
  }
}
