import { Injectable } from '@nestjs/common';
import { isNative } from '../../../../shared/kernel/asset.js';
import { DomainError } from '../../../../shared/kernel/domain-error.js';
import { ChainReader, ChainUnavailable } from '../../../networks/contract/chain-reader.js';
import { DepositAddresses, recipientKey } from '../../../networks/contract/deposit-addresses.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import {
  AuditedPayments,
  type AuditedBlock,
  type RecordedBalance,
  type StoredAddress,
  type StoredTransfer,
} from '../../domain/watching/audited-payments.js';
import { PaymentTokens } from '../requests/payment-tokens.js';

/** What does not agree; `kind` names it for operators. */
export interface ChainFinding {
  readonly kind:
    | 'address-holds-less'
    | 'address-holds-more'
    | 'address-is-not-derived'
    | 'token-is-not-signed'
    | 'transfer-is-not-on-chain'
    | 'not-audited';
  readonly network: string;
  readonly about: string;
  readonly says: string;
}

export interface ChainAudit {
  /** At which balances were compared; null where nothing could be. */
  readonly block: AuditedBlock | null;
  readonly addresses: number;
  readonly transfers: number;
  readonly tokens: number;
  /** By asset: what the addresses hold, and what they paid out. */
  readonly held: ReadonlyMap<string, bigint>;
  /** The first ones. */
  readonly findings: readonly ChainFinding[];
}

export interface AuditExtent {
  /** How many transfers are compared with receipts; null: all. */
  readonly transfers: number | null;
  /** Draws them: the same ones for the same text. */
  readonly seed: string;
}

const ADDRESSES_AT_ONCE = 500;
const TOKENS_AT_ONCE = 500;
const TRANSFERS_AT_ONCE = 100;
const MOST_FINDINGS = 1_000;

/** Compares what is stored of a network's payments with its chain, some at a time. Reads only. */
@Injectable()
export class AuditChain {
  constructor(
    private readonly reader: ChainReader,
    private readonly catalogue: NetworkCatalogue,
    private readonly derivation: DepositAddresses,
    private readonly payments: AuditedPayments,
    private readonly paymentTokens: PaymentTokens,
  ) {}

  async execute(network: string, extent: AuditExtent): Promise<ChainAudit> {
    const audit = {
      ...{ block: await this.payments.finalBlock(network), addresses: 0, transfers: 0, tokens: 0 },
      ...{ held: new Map<string, bigint>(), findings: [] as ChainFinding[] },
    };
    const find = (kind: ChainFinding['kind'], about: string, says: string) => {
      if (audit.findings.length < MOST_FINDINGS) audit.findings.push({ kind, network, about, says });
    };
    audit.tokens = await this.auditTokens(network, find);
    if (audit.block === null) return audit;
    try {
      audit.addresses = await this.auditAddresses(audit.block, audit.held, find);
      audit.transfers = await this.auditTransfers(audit.block, extent, find);
    } catch (error) {
      if (!(error instanceof ChainUnavailable || error instanceof DomainError)) throw error;
      find('not-audited', `block ${audit.block.number}`, error.message);
    }
    return audit;
  }

  private async auditAddresses(block: AuditedBlock, held: Map<string, bigint>, find: Find): Promise<number> {
    const native = this.catalogue.assets().find((each) => each.network === block.network && isNative(each));
    let count = 0;
    for (let after = ''; ;) {
      const page = await this.payments.addresses(
        block,
        native?.uniqueAssetId ?? null,
        after,
        ADDRESSES_AT_ONCE,
      );
      const last = page.addresses.at(-1);
      if (last === undefined) return count;
      for (const stored of page.addresses) this.derive(block.network, stored, find);
      await this.compare(block, page.balances, held, find);
      count += page.addresses.length;
      after = last.address;
    }
  }

  private derive(network: string, stored: StoredAddress, find: Find): void {
    const derived = this.derivation.derive(network, stored.terms, stored.paymentRequestId);
    if (recipientKey(derived) === recipientKey(stored)) return;
    const says = `its terms and payment request ${stored.paymentRequestId} derive to ${recipientKey(derived)}`;
    find('address-is-not-derived', recipientKey(stored), says);
  }

  private async compare(
    block: AuditedBlock,
    balances: readonly RecordedBalance[],
    held: Map<string, bigint>,
    find: Find,
  ): Promise<void> {
    for (const uniqueAssetId of new Set(balances.map((each) => each.uniqueAssetId))) {
      const asset = this.catalogue.asset(uniqueAssetId);
      if (asset === undefined) {
        find('not-audited', uniqueAssetId, 'it is not in the networks file any more');
        continue;
      }
      const some = balances.filter((each) => each.uniqueAssetId === uniqueAssetId);
      const addresses = some.map(({ address }) => address);
      const told = isNative(asset)
        ? await this.reader.balances(block.network, block.hash, addresses)
        : await this.reader.tokenBalances(block.network, block.hash, asset.token, addresses);
      some.forEach(({ address, arrived, paidOut }, i) => {
        const found = told[i]! + paidOut;
        held.set(uniqueAssetId, (held.get(uniqueAssetId) ?? 0n) + found);
        const says = `${told[i]} of ${asset.symbol} at block ${block.number}, where the books say ${arrived - paidOut}`;
        if (found < arrived) find('address-holds-less', address, says);
        // What came inside a contract call is found by a sweep of balances, once a day.
        else if (found > arrived && !isNative(asset)) find('address-holds-more', address, says);
      });
    }
  }

  private async auditTransfers(block: AuditedBlock, extent: AuditExtent, find: Find): Promise<number> {
    let count = 0;
    for (let after = ''; ;) {
      const left = extent.transfers === null ? TRANSFERS_AT_ONCE : extent.transfers - count;
      const some = await this.payments.transfers(
        ...([block, extent.seed, after, Math.min(left, TRANSFERS_AT_ONCE)] as const),
      );
      for (const each of some) await this.auditTransfer(block.network, each, find);
      count += some.length;
      const last = some.at(-1);
      if (last === undefined || count === extent.transfers) return count;
      after = last.drawn;
    }
  }

  private async auditTransfer(network: string, stored: StoredTransfer, find: Find): Promise<void> {
    const { id, uniqueAssetId, blockHash, ...transfer } = stored;
    const token = this.catalogue.asset(uniqueAssetId)?.token;
    if (token === undefined)
      return find('not-audited', `transfer ${id}`, `${uniqueAssetId} is not in the networks file`);
    const [held] = await this.reader.holds(network, blockHash, [{ ...transfer, token }]);
    if (held) return;
    find('transfer-is-not-on-chain', `transfer ${id}`, `no receipt of ${transfer.transactionHash} shows it`);
  }

  /** Of tokens that another key signed, which is kept no more, nothing can be said. */
  private async auditTokens(network: string, find: Find): Promise<number> {
    let count = 0;
    for (let after = ''; ;) {
      const some = await this.payments.tokens(network, after, TOKENS_AT_ONCE);
      for (const { paymentRequestId, token, createdAt, asked } of some) {
        const flaw = this.paymentTokens.flawOf(token, createdAt, asked && { id: paymentRequestId, ...asked });
        if (flaw !== null) find('token-is-not-signed', `payment request ${paymentRequestId}`, flaw);
      }
      count += some.length;
      const last = some.at(-1);
      if (last === undefined) return count;
      after = last.paymentRequestId;
    }
  }
}

type Find = (kind: ChainFinding['kind'], about: string, says: string) => void;
