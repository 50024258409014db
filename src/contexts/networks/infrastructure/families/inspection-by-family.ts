import { Injectable } from '@nestjs/common';
import { ChainFamilies, type ChainFamily } from '../../application/chain-families.js';
import { ChainInspection } from '../../application/chain-inspection.js';
import { ExamineNetwork } from '../../application/examine-network.js';
import type { Endpoint } from '../../domain/endpoint.js';
import type { Finding } from '../../domain/finding.js';
import type { ChainIdentity } from '../../domain/foreign-chain.js';
import type { NetworkConfiguration } from '../../domain/network-configuration.js';

function familyOf(families: ChainFamilies, network: string): ChainFamily {
  const family = families.of(network);
  if (family === undefined) throw new Error(`Network ${network} is not configured.`);
  return family;
}

/** Hands each question on to the family of the endpoint's network. */
@Injectable()
export class InspectionByFamily extends ChainInspection {
  constructor(private readonly families: ChainFamilies) {
    super();
  }

  endpoints(network: string): readonly Endpoint[] {
    return this.inspection(network).endpoints(network);
  }

  unproven(network: string): readonly Endpoint[] {
    return this.inspection(network).unproven(network);
  }

  chainId(network: string): number {
    return this.inspection(network).chainId(network);
  }

  identity(endpoint: Endpoint): Promise<ChainIdentity> {
    return this.inspection(endpoint.network).identity(endpoint);
  }

  head(endpoint: Endpoint): Promise<{ readonly number: number; readonly time: Date }> {
    return this.inspection(endpoint.network).head(endpoint);
  }

  problems(endpoint: Endpoint): Promise<readonly string[]> {
    return this.inspection(endpoint.network).problems(endpoint);
  }

  admit(endpoint: Endpoint): void {
    this.inspection(endpoint.network).admit(endpoint);
  }

  banish(endpoint: Endpoint, reason: string): void {
    this.inspection(endpoint.network).banish(endpoint, reason);
  }

  private inspection(network: string): ChainInspection {
    return familyOf(this.families, network).inspection;
  }
}

/** Lets the network's family examine it. */
@Injectable()
export class ExaminationByFamily extends ExamineNetwork {
  constructor(private readonly families: ChainFamilies) {
    super();
  }

  execute(network: NetworkConfiguration): Promise<Finding[]> {
    return familyOf(this.families, network.network).examination.execute(network);
  }
}
