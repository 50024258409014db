import {
  answerFromView,
  CountField,
  AnswerField,
  TimestampField,
  UuidField,
} from '#shared/platform/http/answers/answer.js';
import type { EffectiveSettlementTerms } from '../persistence/settlement-address-queries.js';

export class SettlementAddressAnswer {
  @UuidField('Id of the settlement terms.', { example: '0193b2f4-7c21-7e3d-9a4b-6c7d8e9f0a1b' })
  id!: string;

  @AnswerField('Network id, such as `erc20` or `polygon`.', { example: 'polygon' })
  network!: string;

  @AnswerField(
    'Address to which funds collected on the network are delivered. On Bitcoin: the output descriptor of ' +
      'your wallet, with its key shortened.',
    { example: '0x52908400098527886E0F7030069857D2E4169EE7' },
  )
  settlement_address!: string;

  @CountField('Fee of the service on settled amounts, in basis points (1/10,000).', {
    maximum: 10_000,
    example: 50,
  })
  fee_basis_points!: number;

  @AnswerField(
    'Level at which the settlement terms are set. `account`: the account has its own terms for the network. ' +
      '`organization`: the terms of the organization apply.',
    { enum: ['account', 'organization'], enumName: 'SettlementAddressOwner' },
  )
  set_for!: 'account' | 'organization';

  @AnswerField('Version of the settlement terms: 1 for the first version, increased by 1 with each change.', {
    type: 'integer',
    minimum: 1,
    example: 2,
  })
  version!: number;

  @TimestampField('Time when the settlement terms took effect.')
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

export function presentSettlementAddress(terms: EffectiveSettlementTerms): SettlementAddressAnswer {
  return answerFromView(SettlementAddressAnswer, terms, {
    set_for: terms.accountId === null ? 'organization' : 'account',
  });
}
