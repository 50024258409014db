import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField, notFound } from '#shared/kernel/domain-error.js';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { requireText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { KnownDepositAddresses } from '../contract/points-of-sale.js';
import { SettlementTermsRecords } from '../infrastructure/persistence/settlement-terms-records.js';
import { requireFeeBasisPoints, type SettlementTermsRecord } from '../domain/settlement-terms.js';

export interface NewSettlementTerms {
  organizationId: OrganizationId;
  /** If absent, the terms apply to accounts without their own terms. */
  accountId?: AccountId;
  network: string;
  /**
   * EVM: an address, in lower case or with an EIP-55 checksum. Bitcoin: an output descriptor
   * (`PayoutAddressRules.parseSettlementAddress`).
   */
  settlementAddress: string;
  field?: string;
  /** Required if there is a fee; otherwise validated and ignored. */
  feeRecipient?: string;
  feeBasisPoints?: number;
  actor: string;
}

/** Existing deposit addresses keep their terms. */
@Injectable()
export class SetSettlementTerms {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly accounts: AccountDirectory,
    private readonly catalogue: NetworkCatalogue,
    private readonly chains: Chains,
    private readonly records: SettlementTermsRecords,
    private readonly depositAddresses: KnownDepositAddresses,
    private readonly auditLog: AuditLog,
  ) {}

  async set(input: NewSettlementTerms): Promise<SettlementTermsRecord> {
    const { organizationId, accountId = null, feeRecipient } = input;
    const network = this.requireNetwork(input.network);
    const field = input.field ?? 'settlement_address';
    const settlementAddress = await this.readSettlementAddress(field, input.settlementAddress, network);
    const feeBasisPoints = requireFeeBasisPoints(input.feeBasisPoints ?? 0);
    this.rejectUnsupportedFee(network, feeBasisPoints, feeRecipient);
    if (feeBasisPoints > 0 && feeRecipient === undefined) {
      throw invalidField('fee_recipient', 'required', 'is required if there is a fee.');
    }
    const namedRecipient =
      feeRecipient === undefined
        ? undefined
        : await this.readFeeRecipient('fee_recipient', feeRecipient, network);
    const terms = {
      network,
      settlementAddress,
      // Without a fee, deposit addresses are derived without a recipient.
      feeRecipient:
        feeBasisPoints === 0
          ? this.chains.of(network).payoutAddresses.placeholderFeeRecipient()
          : namedRecipient!,
      feeBasisPoints,
      setBy: requireText('actor', input.actor, 200),
    };
    if (accountId !== null && !(await this.accounts.belongsTo(accountId, organizationId)))
      throw notFound('account');
    return this.unitOfWork.run(async () => {
      const createdAt = await this.clock.now();
      const record: SettlementTermsRecord = { id: newId(), organizationId, accountId, ...terms, createdAt };
      await this.records.add(record);
      await this.requireOwnWallet(field, record);
      await this.audit(record);
      return record;
    });
  }

  /** Two organizations with the same wallet key would show payers the same deposit addresses. */
  private async requireOwnWallet(field: string, terms: SettlementTermsRecord): Promise<void> {
    const { network, settlementAddress, organizationId } = terms;
    const wallet = this.chains.of(network).wallets?.walletOfSettlementAddress(settlementAddress);
    if (
      wallet === undefined ||
      (await this.records.reserveWalletIdentifiers(network, wallet.keys, organizationId))
    )
      return;
    throw invalidField(
      field,
      'wallet_of_another_organization',
      'has a key that another organization uses. Use a wallet, or an account of a wallet, that only this organization ' +
        'uses.',
    );
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

  private requireNetwork(name: string): string {
    if (this.catalogue.network(name) === undefined) {
      const known = this.catalogue.networks().map(({ network }) => network);
      throw invalidField(
        'network',
        'network',
        `must be one of the networks of this service: ${known.join(', ')}.`,
      );
    }
    return name;
  }

  /** @throws validation_failed */
  private rejectUnsupportedFee(network: string, feeBasisPoints: number, feeRecipient?: string): void {
    if (this.chains.of(network).payoutAddresses.supportsFee()) return;
    const refused = (field: string) =>
      invalidField(
        field,
        'no_fee',
        `must be omitted on ${network}: payments go directly to the merchant, so no fee can be taken.`,
      );
    if (feeBasisPoints > 0) throw refused('fee_basis_points');
    if (feeRecipient !== undefined) throw refused('fee_recipient');
  }

  private readSettlementAddress(field: string, text: string, network: string): Promise<string> {
    return this.rejectOwnAddress(
      field,
      this.chains.of(network).payoutAddresses.parseSettlementAddress(field, text),
      network,
    );
  }

  private readFeeRecipient(field: string, text: string, network: string): Promise<string> {
    return this.rejectOwnAddress(field, this.chains.of(network).payoutAddresses.parse(field, text), network);
  }

  /**
   * Token contracts would lose the funds (a common mistake), and deposit addresses would forward them to their own
   * merchant.
   */
  private async rejectOwnAddress(field: string, address: string, network: string): Promise<string> {
    if (await this.depositAddresses.isDepositAddress(canonicalAddress(address))) {
      throw invalidField(
        field,
        'deposit_address',
        'is a deposit address of this service. Use an address from which the recipient can spend the funds.',
      );
    }
    const tokens = this.catalogue.assets().filter((asset) => asset.network === network);
    if (tokens.some(({ token }) => token === canonicalAddress(address))) {
      throw invalidField(
        field,
        'token_contract',
        'is the contract of a token. Use an address from which the recipient can spend the funds.',
      );
    }
    return address;
  }
}
