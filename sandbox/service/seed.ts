import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';

// For programs that import this from the build.
export { OperatorCommandRunner };

export interface Seed {
  organizationId: string;
  accountId: string;
  posId: string;
  /** Null if NETWORKS_FILE has no native coin. */
  nativePosId: string | null;
  /** Null without `delivered`. */
  deliveredPosId: string | null;
  apiKey: string;
  apiSecret: string;
}

export interface SettlementSeed {
  network: string;
  settlementAddress: string;
  feeRecipient: string;
  feeBasisPoints: number;
}

/** A network on which payments go directly to the merchant's own wallet. */
export interface WalletSeed {
  network: string;
  descriptor: string;
}

interface ShopOptions {
  /** Absent: no request can be created until an operator sets an address. */
  settlement?: SettlementSeed;
  /** Terms on other networks. */
  moreSettlements?: readonly SettlementSeed[];
  /** The network gets a separate point of sale. */
  delivered?: WalletSeed;
  /** Credential of an earlier seed. Reused if it still exists. */
  known?: { apiKey: string; apiSecret: string } | undefined;
  name?: string;
  /** Origin of a shop page that may embed the hosted checkout. */
  framedBy?: string;
}

export interface SeedOptions extends ShopOptions {
  /** The complete environment of the service. */
  env: Readonly<Record<string, string>>;
}

const NAME = 'Demonstration';
const POINT_OF_SALE = 'Demonstration shop';
const MERCHANT_DESCRIPTION = 'Sells nothing, for play money';
const NATIVE_POINT_OF_SALE = 'Demonstration shop, native coin';
const DELIVERED_POINT_OF_SALE = 'Demonstration shop, Bitcoin';
const SUPPORT_CONTACT = 'help@sandbox.example';
const CREDENTIAL = 'Sandbox demonstration';
const PAGE_SIZE = 100;

/**
 * Looks for each record before creating it, so that a repeated or interrupted seed creates nothing twice.
 * @throws ForeignChain if the database was filled from another chain; nothing is created
 */
export async function seedShop(
  operator: OperatorCommandRunner,
  { settlement, moreSettlements = [], delivered, known, name = NAME, framedBy }: ShopOptions,
): Promise<Seed> {
  const account = { ...(await ensureOrganization(operator, name)), framedBy };
  const points = await ensurePointsOfSale(operator, account, delivered?.network);
  const { organizationId, accountId } = account;
  const settlements = [...(settlement === undefined ? [] : [settlement]), ...moreSettlements];
  for (const terms of settlements) await ensureTerms(operator, organizationId, terms);
  if (delivered !== undefined && !(await hasTerms(operator, organizationId, delivered.network))) {
    const { network, descriptor } = delivered;
    const options = ['--organization', organizationId, '--network', network, '--descriptor', descriptor];
    await operator.run('descriptor', 'set', ...options, '--yes');
  }
  const credential = await ensureCredential(operator, account.organizationId, known);
  return { organizationId, accountId, ...points, ...credential };
}

interface OwnAccount {
  organizationId: string;
  accountId: string;
  framedBy?: string | undefined;
}

async function ensureOrganization(operator: OperatorCommandRunner, name: string): Promise<OwnAccount> {
  const isOurs = (one: { name: string }) => one.name === name;
  const existing = await findListed<{ id: string; name: string }>(operator, 'organization list', [], isOurs);
  if (existing === undefined) {
    const create = ['organization', 'create', '--name', name, '--support-contact', SUPPORT_CONTACT];
    const { id, account_id } = await operator.run<{ id: string; account_id: string }>(...create);
    return { organizationId: id, accountId: account_id };
  }
  const of = ['--organization', existing.id];
  const account = await findListed<{ id: string }>(operator, 'account list', of, () => true);
  return { organizationId: existing.id, accountId: account!.id };
}

/**
 * Native coins get a separate point of sale. They have no peg, so the shop's checkout would wait for market prices,
 * or offer an asset without a price.
 * @param apart network whose assets also get a separate point of sale
 */
async function ensurePointsOfSale(operator: OperatorCommandRunner, account: OwnAccount, apart?: string) {
  const listed = await operator.run<ListedAsset[]>('asset', 'list');
  const assets = listed.filter(({ network }) => network !== apart);
  const idsOf = (some: typeof assets) => some.map(({ unique_asset_id }) => unique_asset_id);
  const native = idsOf(assets.filter((asset) => asset.native));
  const tokens = idsOf(assets.filter((asset) => !asset.native));
  const ensure = (name: string, offered: string[]) => ensurePointOfSale(operator, account, name, offered);
  const shopId = tokens.length === 0 ? null : await ensure(POINT_OF_SALE, tokens);
  const nativePosId = native.length === 0 ? null : await ensure(NATIVE_POINT_OF_SALE, native);
  const delivered = idsOf(listed.filter(({ network }) => network === apart));
  const deliveredPosId = delivered.length === 0 ? null : await ensure(DELIVERED_POINT_OF_SALE, delivered);
  // NETWORKS_FILE has at least one asset.
  return { posId: (shopId ?? nativePosId)!, nativePosId, deliveredPosId };
}

interface ListedAsset {
  network: string;
  unique_asset_id: string;
  native: boolean;
}

interface ListedPointOfSale {
  id: string;
  name: string;
  payment_options: string[];
}

async function ensurePointOfSale(
  operator: OperatorCommandRunner,
  { organizationId, accountId, framedBy }: OwnAccount,
  name: string,
  offered: string[],
): Promise<string> {
  const of = ['--organization', organizationId];
  // A point of sale keeps its assets, so each NETWORKS_FILE has its own points of sale.
  const isSame = (one: ListedPointOfSale) => one.name === name && isSameSet(one.payment_options, offered);
  const existing = await findListed<ListedPointOfSale>(operator, 'pos list', of, isSame);
  if (existing !== undefined) return existing.id;
  const merchant = ['--merchant-name', POINT_OF_SALE, '--merchant-description', MERCHANT_DESCRIPTION];
  const frame = framedBy === undefined ? [] : ['--frame-origins', framedBy];
  const options = [...of, '--account', accountId, '--name', name, ...merchant, ...frame];
  const create = ['pos', 'create', ...options, '--payment-options', offered.join()];
  return (await operator.run<ListedPointOfSale>(...create)).id;
}

async function ensureTerms(
  operator: OperatorCommandRunner,
  organizationId: string,
  { network, settlementAddress, feeRecipient, feeBasisPoints }: SettlementSeed,
): Promise<void> {
  if (await hasTerms(operator, organizationId, network)) return;
  const of = ['--organization', organizationId];
  const fee = ['--fee-recipient', feeRecipient, '--fee-basis-points', String(feeBasisPoints)];
  const options = [...of, '--network', network, '--address', settlementAddress, ...fee];
  await operator.run('settlement-terms', 'set', ...options, '--yes');
}

async function hasTerms(
  operator: OperatorCommandRunner,
  organizationId: string,
  network: string,
): Promise<boolean> {
  const of = ['--organization', organizationId];
  const terms = await operator.run<{ network: string }[]>('settlement-terms', 'list', ...of);
  return terms.some((one) => one.network === network);
}

interface ListedCredential {
  id: string;
  key_id: string;
  name: string;
  enabled: boolean;
}

/** Replaces a credential whose secret was lost in a crash, because a secret is displayed only once. */
async function ensureCredential(
  operator: OperatorCommandRunner,
  organizationId: string,
  known: ShopOptions['known'],
): Promise<{ apiKey: string; apiSecret: string }> {
  const of = ['--organization', organizationId];
  const isOurs = ({ name, enabled, key_id }: ListedCredential) =>
    enabled && (known === undefined ? name === CREDENTIAL : key_id === known.apiKey);
  const existing = await findListed<ListedCredential>(operator, 'credential list', of, isOurs);
  if (existing !== undefined && known !== undefined) return known;
  if (existing !== undefined) await operator.run('credential', 'delete', existing.id, '--yes');
  const create = ['credential', 'create', ...of, '--name', CREDENTIAL, '--roles', 'read,write'];
  const { api_key, api_secret } = await operator.run<{ api_key: string; api_secret: string }>(...create);
  return { apiKey: api_key, apiSecret: api_secret };
}

async function findListed<Item>(
  operator: OperatorCommandRunner,
  command: string,
  options: string[],
  matches: (item: Item) => boolean,
): Promise<Item | undefined> {
  for (let page = 1; ; page += 1) {
    const paging = ['--page', String(page), '--page-size', String(PAGE_SIZE)];
    const list = [...command.split(' '), ...options, ...paging];
    const { data, total_pages } = await operator.run<{ data: Item[]; total_pages: number }>(...list);
    const found = data.find(matches);
    if (found !== undefined || page >= total_pages) return found;
  }
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}
