import { Injectable } from '@nestjs/common';
import { ChainFamilies } from '../../application/chain-families.js';
import { SettlementPolicies, type SettlementPolicy } from '../../contract/settlement-policies.js';

@Injectable()
export class ConfiguredSettlementPolicies extends SettlementPolicies {
  private readonly policies: ReadonlyMap<string, SettlementPolicy>;

  constructor(families: ChainFamilies) {
    super();
    this.policies = new Map(families.sendingOn().map(({ network, settlement }) => [network, settlement]));
  }

  override all(): ReadonlyMap<string, SettlementPolicy> {
    return this.policies;
  }
}
