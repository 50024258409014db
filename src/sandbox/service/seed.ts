import 'reflect-metadata';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { composeService, connect } from '../../app/composition.js';
import { readSettings } from '../../app/settings.js';
import { CreateCredential } from '../../contexts/identity/application/create-credential.js';
import { CreateOrganization } from '../../contexts/identity/application/create-organization.js';
import { DeleteCredential } from '../../contexts/identity/application/delete-credential.js';
import { ListAccounts } from '../../contexts/identity/application/list-accounts.js';
import { ListCredentials } from '../../contexts/identity/application/list-credentials.js';
import { ListOrganizations } from '../../contexts/identity/application/list-organizations.js';
import { NetworkCatalogue } from '../../contexts/networks/contract/network-catalogue.js';
import { CreatePointOfSale } from '../../contexts/point-of-sale/application/create-point-of-sale.js';
import { ListPointsOfSale } from '../../contexts/point-of-sale/application/list-points-of-sale.js';
import { ListSettlementTerms } from '../../contexts/point-of-sale/application/list-settlement-terms.js';
import { SetSettlementTerms } from '../../contexts/point-of-sale/application/set-settlement-terms.js';
import { isNative, type Asset } from '../../shared/kernel/asset.js';
import type { AccountId, OrganizationId } from '../../shared/kernel/ids.js';
import type { Page, PageRequest } from '../../shared/kernel/page.js';
import { JsonLogger } from '../../shared/platform/logging/logger.js';

export interface Seed {
  organizationId: string;
  accountId: string;
  posId: string;
  /** Null where the catalogue has no native coin. */
  nativePosId: string | null;
  apiKey: string;
  apiSecret: string;
}

export interface SettlementSeed {
  network: string;
  settlementAddress: string;
  feeRecipient: string;
  feeBasisPoints: number;
}

export interface SeedOptions {
  /** The service's whole environment. */
  env: Readonly<Record<string, string>>;
  /** Absent: nothing can be collected until an operator sets an address. */
  settlement?: SettlementSeed;
  /** A credential that an earlier seed made: kept if it still stands. */
  known?: { apiKey: string; apiSecret: string } | undefined;
}

const NAME = 'Demonstration';
const POINT_OF_SALE = 'Demonstration shop';
const NATIVE_POINT_OF_SALE = 'Demonstration shop, native coin';
const CREDENTIAL = 'Sandbox demonstration';
const ACTOR = 'sandbox';

/**
 * Makes what a demonstration needs, through the operator's use cases, and finds it again the next time: each part is
 * looked for before it is made, so that a crash between any two leaves nothing twice.
 * @throws ForeignChain when the database was filled from another chain; then nothing was made
 */
export async function seed({ env, settlement, known }: SeedOptions): Promise<Seed> {
  const context = await openContext(env);
  try {
    const { organizationId, accountId } = await ensureOrganization(context);
    const account = { organizationId, accountId };
    const { posId, nativePosId } = await ensurePointsOfSale(context, account);
    if (settlement !== undefined) await ensureTerms(context, organizationId, settlement);
    const credential = await ensureCredential(context, organizationId, known);
    return { ...account, posId, nativePosId, ...credential };
  } finally {
    await context.close();
  }
}

async function openContext(env: SeedOptions['env']): Promise<INestApplicationContext> {
  const settings = readSettings(env);
  const logger = new JsonLogger({ level: 'silent' });
  const dataSource = await connect('operator', settings, logger);
  return NestFactory.createApplicationContext(composeService('operator', settings, dataSource), {
    logger,
    abortOnError: false,
  });
}

async function ensureOrganization(context: INestApplicationContext) {
  const organizations = resolve(context, ListOrganizations);
  const existing = await first(
    (page) => organizations.execute(page),
    ({ name }) => name === NAME,
  );
  if (existing === undefined) {
    const born = await resolve(context, CreateOrganization).execute({ name: NAME, actor: ACTOR });
    return { organizationId: born.organization.id, accountId: born.account.id };
  }
  const accounts = resolve(context, ListAccounts);
  const scope = { organizationId: existing.id, accountId: null };
  const account = await first(
    (page) => accounts.execute(scope, page),
    () => true,
  );
  return { organizationId: existing.id, accountId: account!.id };
}

interface OwnAccount {
  organizationId: OrganizationId;
  accountId: AccountId;
}

/**
 * Native coins at a point of sale of their own: no peg says what they are worth, so a checkout of the shop would wait
 * for markets that may be out of reach, and offer what cannot be priced.
 */
async function ensurePointsOfSale(context: INestApplicationContext, account: OwnAccount) {
  const assets = resolve(context, NetworkCatalogue).assets();
  const idsOf = (some: readonly Asset[]) => some.map(({ uniqueAssetId }) => uniqueAssetId);
  const [native, tokens] = [assets.filter(isNative), assets.filter((asset) => !isNative(asset))];
  const ensure = (name: string, offered: string[]) => ensurePointOfSale(context, account, name, offered);
  const shopId = tokens.length === 0 ? null : await ensure(POINT_OF_SALE, idsOf(tokens));
  const nativePosId = native.length === 0 ? null : await ensure(NATIVE_POINT_OF_SALE, idsOf(native));
  // A catalogue has at least one asset.
  return { posId: (shopId ?? nativePosId)!, nativePosId };
}

async function ensurePointOfSale(
  context: INestApplicationContext,
  { organizationId, accountId }: OwnAccount,
  name: string,
  offered: string[],
): Promise<string> {
  const scope = { organizationId, accountId: null };
  const pointsOfSale = resolve(context, ListPointsOfSale);
  // One for each catalogue that the database was used with: a point of sale keeps the assets it was made for.
  const existing = await first(
    (page) => pointsOfSale.execute({ scope, page }),
    (one) => one.name === name && isSameSet(one.paymentOptions, offered),
  );
  if (existing !== undefined) return existing.id;
  const created = await resolve(context, CreatePointOfSale).execute({
    scope,
    accountId,
    name,
    type: 'online',
    merchant: { name: POINT_OF_SALE, description: 'Sells nothing, for play money' },
    paymentOptions: offered,
  });
  return created.id;
}

async function ensureTerms(
  context: INestApplicationContext,
  organizationId: OrganizationId,
  settlement: SettlementSeed,
): Promise<void> {
  const current = await resolve(context, ListSettlementTerms).execute(organizationId);
  if (current.some(({ network }) => network === settlement.network)) return;
  await resolve(context, SetSettlementTerms).execute({ organizationId, ...settlement, actor: ACTOR });
}

/** A secret is shown once: where it was lost to a crash, its credential is of no use and another takes its place. */
async function ensureCredential(
  context: INestApplicationContext,
  organizationId: OrganizationId,
  known: SeedOptions['known'],
): Promise<{ apiKey: string; apiSecret: string }> {
  const credentials = resolve(context, ListCredentials);
  const existing = await first(
    (page) => credentials.execute(organizationId, page),
    ({ name, enabled, keyId }) =>
      enabled && (known === undefined ? name === CREDENTIAL : keyId === known.apiKey),
  );
  if (existing !== undefined && known !== undefined) return known;
  if (existing !== undefined) {
    const lost = { organizationId, credentialId: existing.id, actor: ACTOR };
    await resolve(context, DeleteCredential).execute(lost);
  }
  const { credential, secret } = await resolve(context, CreateCredential).execute({
    organizationId,
    name: CREDENTIAL,
    roles: ['read', 'write'],
    actor: ACTOR,
  });
  return { apiKey: credential.keyId, apiSecret: secret };
}

async function first<T>(
  list: (page: PageRequest) => Promise<Page<T>>,
  matches: (item: T) => boolean,
): Promise<T | undefined> {
  const pageSize = 100;
  for (let page = 1; ; page += 1) {
    const { items, total } = await list({ page, pageSize });
    const found = items.find(matches);
    if (found !== undefined || page * pageSize >= total) return found;
  }
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

/** Wherever in the modules it is provided. */
function resolve<T>(
  context: INestApplicationContext,
  type: Type<T> | (abstract new (...args: never[]) => T),
): T {
  return context.get(type as Type<T>, { strict: false });
}
