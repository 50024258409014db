import { type TestPlatform, openTestDatabase } from '#test/support/open-database.js';
import { MADE_UP_SENDER } from '#test/support/partial-worlds.js';
import type { Database } from '#shared/platform/database/database.js';
import { newId, type AccountId, type OrganizationId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { ConfiguredCatalogue } from '#contexts/networks/infrastructure/configuration/configured-catalogue.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { OutputChain } from '#contexts/networks/testing/output-chain.js';
import { OUTPUT_COIN, OUTPUT_CONFIGURATION, OutputFamily } from '#contexts/networks/testing/output-family.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import type { RefundableRequest } from '#contexts/payments/contract/refundable-requests.js';
import type { Asset } from '#shared/kernel/asset.js';
import type { CreateRefundInput } from '../../application/refunds/create-refund.js';
import { NATIVE } from '../../domain/refunds/refund-float.js';
import { MadeUpChain } from './made-up-chain.js';
import { refundsProcess, SETTLED_TO, type WorldOfRefunds } from './refunds-process.js';

export { DEPOSIT_ADDRESS, SETTLED_TO } from './refunds-process.js';
export const NETWORK = 'sandbox';
export const PAYER = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';

/** Floats of these tests hold some units of gas. */
const ONE_WEI = { minimum_amount: '0.000000000000000001' };

/** The ledger is not there. */
const NOT_POSTED = [
  'ledger-refunds-are-followed',
  'ledger-top-ups-are-posted',
  'ledger-float-withdrawals-are-followed',
];

/** The code and message of the error by which something is rejected; else "done". */
export const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );

/** Refunds on a real database, beside a made-up chain and made-up payments. */
export class RefundsWorld implements WorldOfRefunds {
  readonly chain = new MadeUpChain();
  readonly organizationId = newId<OrganizationId>();
  readonly accountId = newId<AccountId>();
  readonly requests = new Map<PaymentRequestId, RefundableRequest>();
  readonly ownPayments = new Map<PaymentRequestId, readonly string[]>();

  /** Processes send by this chain; a test with real nodes sets another. */
  sending: Pick<MadeUpChain, 'sender' | 'planning'> = this.chain;
  readonly catalogue: ConfiguredCatalogue;
  /** The chain of the network that delivers to merchants' own wallets. */
  readonly outputs = new OutputChain(OUTPUT_COIN.token, Date.now());
  /** Stands for another process's chain where a test sets it. */
  outputFamily = new OutputFamily(this.outputs);

  private constructor(
    readonly platform: TestPlatform,
    readonly settings: NetworksSettings,
  ) {
    this.catalogue = new ConfiguredCatalogue(settings, new NetworkReadiness());
  }

  static async open(
    settings = settingsFor('http://127.0.0.1:9', { assets: [sampleAsset(), nativeAsset(ONE_WEI)] }),
  ): Promise<RefundsWorld> {
    const world = new RefundsWorld(await openTestDatabase(), settings);
    world.platform.makesUp([...NOT_POSTED, ...MADE_UP_SENDER, 'addresses-match-events']);
    world.chain.transaction = (work) => world.platform.database.run(work);
    await world.organization(world.organizationId, world.accountId);
    return world;
  }

  async organization(id: OrganizationId, accountId = newId<AccountId>()): Promise<void> {
    await this.rows(
      `INSERT INTO identity.organizations (id, name, created_at, updated_at) VALUES ($1, 'Shop', now(), now())`,
      [id],
    );
    await this.rows(
      `INSERT INTO identity.accounts (id, organization_id, external_id, name, created_at, updated_at)
       VALUES ($1, $2, 'main', 'Main', now(), now())`,
      [accountId, id],
    );
  }

  /** The same with a network that delivers to merchants' own wallets. */
  static async openDelivering(): Promise<RefundsWorld> {
    const { networks } = settingsFor('http://127.0.0.1:9', { assets: [sampleAsset(), nativeAsset(ONE_WEI)] });
    return RefundsWorld.open(new NetworksSettings([...networks, OUTPUT_CONFIGURATION]));
  }

  close(brokenOnPurpose: readonly string[] | 'any' = []): Promise<void> {
    return this.platform.close(brokenOnPurpose);
  }

  /** The settlement address of the organization as a whole from now on. No audit entry says so. */
  async settleTo(address: string): Promise<void> {
    await this.rows(
      `INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient,
         fee_basis_points, set_by, created_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $3, 1, 'test', now())`,
      [this.organizationId, NETWORK, address],
    );
  }

  rows<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.platform.database.query<Row>(text, values);
  }

  get token(): Asset {
    return this.catalogue.assets()[0]!;
  }

  get coin(): Asset {
    return this.catalogue.assets()[1]!;
  }

  get scope() {
    return { organizationId: this.organizationId, accountId: null };
  }

  request(
    changes: Partial<RefundableRequest> = {},
    received: Partial<RefundableRequest['received'][number]> = {},
  ) {
    const request: RefundableRequest = {
      id: newId<PaymentRequestId>(),
      ...{ organizationId: this.organizationId, accountId: this.accountId, pointOfSaleId: newId() },
      ...{ status: 'completed', merchantName: 'Corner Coffee' },
      received: [{ asset: this.token, asked: 10_000_000n, paid: 10_000_000n, deposited: 0n, ...received }],
      ...changes,
    };
    this.requests.set(request.id, request);
    return request;
  }

  /** An ended request whose address pays out to that one, beside organization's terms that name another. */
  async requestPaidTo(settlementAddress: string, organizationTerms = SETTLED_TO) {
    const request = this.request();
    await makeUpAddress(this.platform.database, request, settlementAddress, organizationTerms);
    return request;
  }

  /** The chain has reversed all but so much of a request's payment. */
  async reverse(request: RefundableRequest, paid: bigint): Promise<void> {
    const received = request.received.map((each) => ({ ...each, paid }));
    this.requests.set(request.id, { ...request, received });
    await this.platform.database.run(async () => {
      await this.rows('SET LOCAL session_replication_role = replica');
      await this.rows(
        `INSERT INTO payments.settlement_holds (id, network, address, payment_request_id, organization_id, account_id, transfer_id,
           held_at) VALUES (gen_random_uuid(), $1, '0x1', $2, $3, $4, gen_random_uuid(), now())`,
        [received[0]!.asset.network, request.id, request.organizationId, request.accountId],
      );
    });
  }

  process() {
    return refundsProcess(this);
  }

  /** The organization's float, with that much of both assets, looked at. @returns its address */
  async fund(tokens = 100_000_000n, coins = 1_000_000n): Promise<string> {
    const { floats, open, look } = this.process();
    await floats.findOrCreate(this.organizationId, NETWORK);
    await open.execute(NETWORK);
    const { address } = await floats.findOrCreate(this.organizationId, NETWORK);
    this.chain.put(address!, this.token.token, tokens);
    this.chain.put(address!, NATIVE, coins);
    await look.execute(NETWORK);
    return address!;
  }

  create(input: Partial<CreateRefundInput> & { of: RefundableRequest }) {
    const { of, ...rest } = input;
    const named = rest.claim === undefined ? { refundToAddress: PAYER } : {};
    return this.process().create.execute({
      ...{ scope: this.scope, paymentRequestId: of.id, by: 'credential', ...named },
      ...rest,
    });
  }

  /** Takes the worker's turns, whatever was put off. */
  async turn(): Promise<void> {
    await this.process().endReversed.execute(NETWORK);
    await this.rows(
      `UPDATE settlement.refund_float_payouts SET due_at = '-infinity' WHERE status = 'processing'`,
    );
    await this.process().advance.execute(NETWORK);
  }

  /** The holding of the organization's float. */
  async holding(holding: string) {
    const { floats } = this.process();
    const { id } = await floats.findOrCreate(this.organizationId, NETWORK);
    return (await floats.holdings(id)).get(holding)!;
  }

  async status(id: string): Promise<string> {
    const [row] = await this.rows<{ status: string }>('SELECT status FROM settlement.refunds WHERE id = $1', [
      id,
    ]);
    return row!.status;
  }

  events(type: string) {
    return this.rows<{ aggregateId: string; data: Record<string, string> }>(
      'SELECT aggregate_id, data FROM platform.events WHERE type = $1 ORDER BY position',
      [type],
    );
  }
}

/** An address of the request on its asset's network that pays out to `settlementAddress`, beside the organization's own terms. */
function makeUpAddress(
  database: Database,
  { id, organizationId, accountId, received }: RefundableRequest,
  settlementAddress: string,
  organizationTerms: string,
): Promise<void> {
  const { network, uniqueAssetId } = received[0]!.asset;
  return database.run(async () => {
    // Payments and terms are made up: no constraint finds the rest of them.
    await database.query('SET LOCAL session_replication_role = replica');
    await database.query(
      `INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient,
         fee_basis_points, set_by, created_at) VALUES ($1, $2, $3, $4, '0x' || repeat('0', 40), 0, 'test', now())`,
      [newId(), organizationId, network, organizationTerms],
    );
    await database.query(
      `INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
         unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, '{}', $7, $8, '0x' || repeat('0', 40), 0, now())`,
      [
        ...[network, `0x${id.replaceAll('-', '').padStart(40, '0')}`, id, organizationId, accountId],
        ...[uniqueAssetId, newId(), settlementAddress],
      ],
    );
  });
}
