import { answerFromView, AnswerField, UuidField } from '#shared/platform/http/answers/answer.js';
import { IsText } from '#shared/platform/http/validation/field-rules.js';
import type { IssuedCredential } from '#contexts/identity/application/credentials/issue-credential.js';
import type { PairingSubject } from '../../persistence/pairings.js';
import { MAX_KEY_NAME_LENGTH } from '#contexts/identity/domain/credentials/credential.js';

export class PairingCodeBody {
  @IsText('Pairing code from the dashboard. Case, spaces and hyphens are ignored.', {
    max: 32,
    example: 'K7QF2MXA',
  })
  code!: string;
}

export class PairDeviceBody extends PairingCodeBody {
  @IsText('Name of the device in the list of tills.', {
    max: MAX_KEY_NAME_LENGTH,
    example: 'Phone at the bar',
  })
  device_name!: string;
}

export class PairingSubjectAnswer {
  @UuidField('Id of the point of sale that the device would use.')
  point_of_sale_id!: string;

  @AnswerField('Name of the point of sale. Absent if it has none.', { required: false, example: 'Till 1' })
  point_of_sale_name?: string;

  @AnswerField('Name of the account.', { example: 'Corner Coffee, Main Street' })
  account_name!: string;

  @AnswerField('Name of the organization.', { example: 'Corner Coffee' })
  organization_name!: string;
}

export class PairedDeviceAnswer {
  @AnswerField({
    example: 'svc.dev.0193b2f4-5f0e-8c1a-9d1e-0a4b5c6d7e30',
    description: 'API key id of the device. Exchange it for an access token like any API key.',
  })
  api_key!: string;

  @AnswerField({
    example: 'the-secret-that-is-answered-once',
    description: 'API secret of the device. It is returned only once.',
  })
  api_secret!: string;

  @UuidField('Id of the only point of sale that the device can use.')
  point_of_sale_id!: string;
}

export function presentDevice({ credential, secret }: IssuedCredential): PairedDeviceAnswer {
  return {
    api_key: credential.keyId,
    api_secret: secret,
    point_of_sale_id: credential.pairing!.pointOfSaleId,
  };
}

export function presentPairingPointOfSale({
  pointId,
  pointName,
  ...names
}: PairingSubject): PairingSubjectAnswer {
  return answerFromView(PairingSubjectAnswer, names, {
    point_of_sale_id: pointId,
    point_of_sale_name: pointName ?? undefined,
  });
}
