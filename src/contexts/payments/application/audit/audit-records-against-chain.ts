import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { type AddressDerivationInput, recipientKey } from '#contexts/networks/contract/deposit-addresses.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { CustodyRecords } from '../../contract/chain-audit-results.js';
import {
  ChainAuditQueries,
  type AuditedBlock,
  type RecordedBalance,
  type StoredDepositAddress,
  type StoredTransfer,
} from '../../infrastructure/audit/persistence/chain-audit-queries.js';
import type {
  AuditExtent,
  ChainAudit,
  ChainAuditFinding,
} from '../../infrastructure/audit/persistence/chain-audits.js';
import { PaymentTokenIssuer } from '../requests/payment-token-issuer.js';

const MAX_FINDINGS_PER_AUDIT = 1_000;
/** A recent payment may not be in the ledger yet, so a difference is checked again. */
const CUSTODY_COMPARISON_ATTEMPTS = 5;

@Injectable()
export class AuditRecordsAgainstChain {
  protected readonly addressesAtOnce: number = 500;
  protected readonly transfersAtOnce: number = 100;
  protected readonly tokensAtOnce: number = 500;

  constructor(
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly payments: ChainAuditQueries,
    private readonly paymentTokenIssuer: PaymentTokenIssuer,
    private readonly custody: CustodyRecords,
  ) {}

  async begin(network: string, extent: AuditExtent): Promise<ChainAudit> {
    const block = await this.payments.findFinalBlock(network);
    return {
      network,
      block,
      extent,
      stage: block === null ? 'tokens' : 'addresses',
      position: '',
      addresses: 0,
      transfers: 0,
      tokens: 0,
      custodyTries: 0,
      held: new Map(),
      findings: [],
    };
  }

  /**
   * Pause after a failed custody comparison.
   * @throws ChainUnavailable if the step must be retried; `BlockStateUnavailable` if nodes no longer have the balances at
   * the audited block
   */
  async step(audit: ChainAudit): Promise<ChainAudit> {
    const { block, stage } = audit;
    if (stage === 'tokens') return this.stepTokens(audit);
    if (block === null || stage === 'ended') return { ...audit, stage: 'ended' };
    if (stage === 'addresses') return this.stepAddresses(audit, block);
    return stage === 'transfers' ? this.stepTransfers(audit, block) : this.compareCustody(audit, block);
  }

  private async stepAddresses(audit: ChainAudit, block: AuditedBlock): Promise<ChainAudit> {
    const page = await this.payments.listAddresses(block, audit.position, this.addressesAtOnce);
    const last = page.addresses.at(-1);
    if (last === undefined) return { ...audit, stage: 'transfers', position: '' };
    const findings = new FindingCollector(audit);
    for (const stored of page.addresses) this.auditDerivation(stored, findings);
    const held = new Map(audit.held);
    if (!this.deliversDirectly(block.network))
      await this.compareBalances(block, page.balances, held, findings);
    const addresses = audit.addresses + page.addresses.length;
    return { ...audit, position: last.address, addresses, held, findings: findings.all };
  }

  private auditDerivation(stored: StoredDepositAddress, findings: FindingCollector): void {
    const derived = this.chains
      .of(findings.network)
      .depositAddresses.rederive(stored.terms, stored.source, stored.derivation);
    if (derived !== null && recipientKey(derived) === recipientKey(stored)) return;
    const says =
      derived === null
        ? `it was derived by a contract that is not a factory of this network: ${JSON.stringify(stored.derivation)}`
        : `its terms and ${describeAddressSource(stored.source)} derive to ${recipientKey(derived)}`;
    findings.add('address-is-not-derived', recipientKey(stored), says);
  }

  private async compareBalances(
    block: AuditedBlock,
    balances: readonly RecordedBalance[],
    held: Map<string, bigint>,
    findings: FindingCollector,
  ): Promise<void> {
    for (const uniqueAssetId of new Set(balances.map((each) => each.uniqueAssetId))) {
      const asset = this.catalogue.asset(uniqueAssetId);
      if (asset === undefined) {
        findings.addOnce('not-audited', uniqueAssetId, 'it is no longer in the networks file');
        continue;
      }
      const some = balances.filter((each) => each.uniqueAssetId === uniqueAssetId);
      const addresses = some.map(({ address }) => address);
      const onChain = isNative(asset)
        ? await this.chains.of(block.network).reader.balances(block.hash, addresses)
        : await this.chains.of(block.network).reader.tokenBalances(block.hash, asset.token, addresses);
      some.forEach(({ address, amount }, i) => {
        const found = onChain[i]!;
        if (found === null)
          return findings.addOnce(
            'balance-is-unreadable',
            uniqueAssetId,
            `it returns no balance of ${address}`,
          );
        // A surplus of native coin may come from contract calls, which the next balance sweep records.
        const isUnswept = isNative(asset) && found > amount;
        held.set(uniqueAssetId, (held.get(uniqueAssetId) ?? 0n) + (isUnswept ? amount : found));
        const says = `${found} of ${asset.symbol} at block ${block.number}, but the books have ${amount}`;
        if (found < amount) findings.add('address-holds-less', address, says);
        else if (found > amount && !isUnswept) findings.add('address-holds-more', address, says);
      });
    }
  }

  private async stepTransfers(audit: ChainAudit, block: AuditedBlock): Promise<ChainAudit> {
    const { transfers: requested, seed } = audit.extent;
    const left = requested === null ? this.transfersAtOnce : requested - audit.transfers;
    const some = await this.payments.listTransfers(
      block,
      seed,
      audit.position,
      Math.min(left, this.transfersAtOnce),
    );
    const last = some.at(-1);
    if (last === undefined) return { ...audit, stage: 'tokens', position: '' };
    const findings = new FindingCollector(audit);
    for (const each of some) await this.auditTransfer(each, findings);
    const transfers = audit.transfers + some.length;
    return { ...audit, position: last.sampleKey, transfers, findings: findings.all };
  }

  private async auditTransfer(stored: StoredTransfer, findings: FindingCollector): Promise<void> {
    const { id, uniqueAssetId, blockHash, ...transfer } = stored;
    const token = this.catalogue.asset(uniqueAssetId)?.token;
    if (token === undefined)
      return findings.addOnce('not-audited', uniqueAssetId, 'it is no longer in the networks file');
    const [held] = await this.chains
      .of(findings.network)
      .reader.containsTransfers(blockHash, [{ ...transfer, token }]);
    if (held) return;
    const says = `no receipt of ${transfer.transactionHash} shows it`;
    findings.add('transfer-is-not-on-chain', `transfer ${id}`, says);
  }

  /** Tokens signed with a key that is no longer stored cannot be checked. */
  private async stepTokens(audit: ChainAudit): Promise<ChainAudit> {
    const some = await this.payments.listNaspipTokens(audit.network, audit.position, this.tokensAtOnce);
    const last = some.at(-1);
    if (last === undefined) return { ...audit, stage: 'custody', position: '' };
    const findings = new FindingCollector(audit);
    for (const stored of some) {
      const flaw = this.paymentTokenIssuer.findTokenError(stored.token, stored.createdAt, stored);
      if (flaw !== null) findings.add('token-is-not-signed', `payment request ${stored.id}`, flaw);
    }
    const tokens = audit.tokens + some.length;
    return { ...audit, position: last.id, tokens, findings: findings.all };
  }

  /** Merchants spend the funds in their own wallets, so balances are not comparable. */
  private deliversDirectly(network: string): boolean {
    return this.catalogue.network(network)?.deliversDirectly === true;
  }

  private async compareCustody(audit: ChainAudit, { network, number }: AuditedBlock): Promise<ChainAudit> {
    if (this.deliversDirectly(network)) return { ...audit, stage: 'ended' };
    const assets = this.catalogue.assets().filter((each) => each.network === network);
    const booked = await this.custody.readAtBlock(
      network,
      number,
      assets.map(({ uniqueAssetId }) => uniqueAssetId),
    );
    const unreadable = new Set(
      audit.findings.filter(({ kind }) => kind === 'balance-is-unreadable').map(({ about }) => about),
    );
    const differing = assets
      .filter(({ uniqueAssetId }) => !unreadable.has(uniqueAssetId))
      .map(({ uniqueAssetId: asset }) => ({
        asset,
        ledger: booked.get(asset) ?? 0n,
        chain: audit.held.get(asset) ?? 0n,
      }))
      .filter(({ ledger, chain }) => ledger !== chain);
    const custodyTries = audit.custodyTries + 1;
    if (differing.length > 0 && custodyTries < CUSTODY_COMPARISON_ATTEMPTS) return { ...audit, custodyTries };
    const findings = new FindingCollector(audit);
    for (const { asset, ledger, chain } of differing) {
      const says = `${chain} at all deposit addresses at block ${number}, but the ledger has ${ledger} in custody`;
      findings.add('custody-is-not-on-chain', asset, says);
    }
    return { ...audit, stage: 'ended', findings: findings.all };
  }
}

function describeAddressSource({ requestId, number }: AddressDerivationInput): string {
  return number === undefined
    ? `payment request ${requestId}`
    : `number ${number}, of payment request ${requestId},`;
}

class FindingCollector {
  readonly network: string;
  readonly all: ChainAuditFinding[];

  constructor(audit: ChainAudit) {
    this.network = audit.network;
    this.all = [...audit.findings];
  }

  add(kind: ChainAuditFinding['kind'], about: string, says: string): void {
    if (this.all.length < MAX_FINDINGS_PER_AUDIT) this.all.push({ kind, network: this.network, about, says });
  }

  addOnce(kind: ChainAuditFinding['kind'], about: string, says: string): void {
    if (!this.all.some((each) => each.kind === kind && each.about === about)) this.add(kind, about, says);
  }
}
