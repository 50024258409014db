import { answer, Count, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import type { TermsInForce } from '../persistence/settlement-address-queries.js';

export class SettlementAddressAnswer {
  @Uuid({ description: 'Of the settlement terms.' })
  id!: string;

  @Field({ description: 'Network name.', example: 'polygon' })
  network!: string;

  @Field({
    description: 'Where collected money of the network is delivered to; a wallet’s descriptor is shortened.',
  })
  settlement_address!: string;

  @Count({
    maximum: 10_000,
    description: 'The service’s share of all that is settled, in parts of ten thousand.',
  })
  fee_basis_points!: number;

  @Field({
    enum: ['account', 'organization'],
    enumName: 'SettlementAddressOwner',
    description: 'Whether the account has terms of its own on the network, or the organization’s apply.',
  })
  set_for!: 'account' | 'organization';

  @Field({
    type: 'integer',
    minimum: 1,
    description: 'How often they were set on the network for that owner.',
  })
  version!: number;

  @Time({ description: 'In force since.' })
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
  return answer(SettlementAddressAnswer, terms, {
    set_for: terms.accountId === null ? 'organization' : 'account',
  });
}
