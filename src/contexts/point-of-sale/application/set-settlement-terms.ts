import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField, notFound } from '#shared/kernel/domain-error.js';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { requiredText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PayoutAddresses } from '#contexts/networks/contract/payout-addresses.js';
import { KnownDepositAddresses } from '../contract/points-of-sale.js';
import {
  feeShareFrom,
  type SettlementTermsRecord,
  SettlementTermsRecords,
} from '../domain/settlement-terms.js';

export interface NewSettlementTerms {
  organizationId: OrganizationId;
  /** Absent: for every account of the organization that has no terms of its own on the network. */
  accountId?: AccountId;
  network: string;
  /** An address as the network's family writes it: on EVM networks in lower case, or with a correct EIP-55 checksum. */
  settlementAddress: string;
  /** Required where there is a fee; checked and then left out where there is none. */
  feeRecipient?: string;
  /** 0 unless set. */
  feeBasisPoints?: number;
  actor: string;
}

/** The terms are for requests created from now on; existing addresses keep the terms they were made with. */
@Injectable()
export class SetSettlementTerms {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly accounts: AccountDirectory,
    private readonly catalogue: NetworkCatalogue,
    private readonly addresses: PayoutAddresses,
    private readonly records: SettlementTermsRecords,
    private readonly depositAddresses: KnownDepositAddresses,
    private readonly auditLog: AuditLog,
  ) {}

  /** @throws validation_failed, not_found */
  async execute(input: NewSettlementTerms): Promise<SettlementTermsRecord> {
    const { organizationId, accountId = null, feeRecipient } = input;
    const network = this.networkFrom(input.network);
    const settlementAddress = await this.addressFrom('settlement_address', input.settlementAddress, network);
    const feeBasisPoints = feeShareFrom(input.feeBasisPoints ?? 0);
    if (feeBasisPoints > 0 && feeRecipient === undefined) {
      throw invalidField('fee_recipient', 'required', 'is wanted where there is a fee.');
    }
    const namedRecipient =
      feeRecipient === undefined ? undefined : await this.addressFrom('fee_recipient', feeRecipient, network);
    const terms = {
      network,
      settlementAddress,
      // Deposit addresses without a fee have no recipient of it, and are settled only by terms that name none.
      feeRecipient: feeBasisPoints === 0 ? this.addresses.nobody(network) : namedRecipient!,
      feeBasisPoints,
      setBy: requiredText('actor', input.actor, 200),
    };
    if (accountId !== null && !(await this.accounts.belongsTo(accountId, organizationId)))
      throw notFound('account');
    return this.unitOfWork.run(async () => {
      const createdAt = await this.clock.now();
      const record: SettlementTermsRecord = { id: newId(), organizationId, accountId, ...terms, createdAt };
      await this.records.add(record);
      await this.audit(record);
      return record;
    });
  }

  private audit(terms: SettlementTermsRecord): Promise<void> {
    return this.auditLog.record({
      actor: terms.setBy,
      action: 'settlement_terms.set',
      organizationId: terms.organizationId,
      subjectId: terms.id,
      before: null,
      after: {
        account_id: terms.accountId,
        network: terms.network,
        settlement_address: terms.settlementAddress,
        fee_recipient: terms.feeRecipient,
        fee_basis_points: terms.feeBasisPoints,
      },
      at: terms.createdAt,
    });
  }

  private networkFrom(name: string): string {
    if (this.catalogue.network(name) === undefined) {
      const known = this.catalogue.networks().map(({ network }) => network);
      throw invalidField(
        'network',
        'network',
        `must be one of this service's networks: ${known.join(', ')}.`,
      );
    }
    return name;
  }

  /**
   * Money sent to a token's own contract (a common mistake) is lost, and money sent to a deposit address is paid to whoever
   * that address was made for. Both are refused.
   */
  private async addressFrom(field: string, text: string, network: string): Promise<string> {
    const address = this.addresses.read(network, field, text);
    if (await this.depositAddresses.has(canonicalAddress(address))) {
      throw invalidField(
        field,
        'deposit_address',
        'is a deposit address of this service. Name an address that can pay out.',
      );
    }
    const tokens = this.catalogue.assets().filter((asset) => asset.network === network);
    if (tokens.some(({ token }) => token === canonicalAddress(address))) {
      throw invalidField(
        field,
        'token_contract',
        'is the contract of a token. Name an address that can pay out.',
      );
    }
    return address;
  }
}
