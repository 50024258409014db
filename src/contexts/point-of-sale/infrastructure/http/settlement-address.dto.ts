import { ApiProperty } from '@nestjs/swagger';
import type { TermsInForce } from '../persistence/settlement-address-queries.js';

export class SettlementAddressAnswer {
  @ApiProperty({ format: 'uuid', description: 'Of the settlement terms.' })
  id!: string;

  @ApiProperty({ description: 'Network name.', example: 'polygon' })
  network!: string;

  @ApiProperty({ description: 'Where collected money of the network is delivered to.' })
  settlement_address!: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 10_000,
    description: 'The service’s share of all that is settled, in parts of ten thousand.',
  })
  fee_basis_points!: number;

  @ApiProperty({
    enum: ['account', 'organization'],
    enumName: 'SettlementAddressOwner',
    description: 'Whether the account has terms of its own on the network, or the organization’s apply.',
  })
  set_for!: 'account' | 'organization';

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'How often they were set on the network for that owner.',
  })
  version!: number;

  @ApiProperty({ type: String, format: 'date-time', description: 'In force since.' })
  created_at!: string;
}

export const SETTLEMENT_ADDRESS_EXAMPLE: SettlementAddressAnswer = {
  id: '0193b2f4-7c21-7e3d-9a4b-6c7d8e9f0a1b',
  network: 'polygon',
  settlement_address: '0x52908400098527886E0F7030069857D2E4169EE7',
  fee_basis_points: 50,
  set_for: 'organization',
  version: 2,
  created_at: '2026-01-31T12:00:00.000Z',
};

export function presentSettlementAddress(terms: TermsInForce): SettlementAddressAnswer {
  return {
    id: terms.id,
    network: terms.network,
    settlement_address: terms.settlementAddress,
    fee_basis_points: terms.feeBasisPoints,
    set_for: terms.accountId === null ? 'organization' : 'account',
    version: terms.version,
    created_at: terms.createdAt.toISOString(),
  };
}
