import { answer, Field, Uuid } from '#shared/platform/http/answers/answer.js';
import { Text } from '#shared/platform/http/validation/field-rules.js';
import type { Issued } from '#contexts/identity/application/credentials/issue-credential.js';
import type { PairingSubject } from '#contexts/identity/application/devices/pairings.js';
import { MAX_KEY_NAME_LENGTH } from '#contexts/identity/domain/credentials/credential.js';

export class PairingCodeBody {
  @Text({
    max: 32,
    description: 'The code that the dashboard shows, in capitals or not, with or without spaces and hyphens.',
    example: 'K7QF2MXA',
  })
  code!: string;
}

export class PairDeviceBody extends PairingCodeBody {
  @Text({
    max: MAX_KEY_NAME_LENGTH,
    description: 'People know the device by it, in the list of tills.',
    example: 'Phone at the bar',
  })
  device_name!: string;
}

export class PairingSubjectAnswer {
  @Uuid({ description: 'The point of sale that the device would act on.' })
  point_of_sale_id!: string;

  @Field({ required: false, description: 'Name of the point of sale.', example: 'Till 1' })
  point_of_sale_name?: string;

  @Field({ description: 'Name of its account.', example: 'Corner Coffee, Main Street' })
  account_name!: string;

  @Field({ description: 'Name of its organization.', example: 'Corner Coffee' })
  organization_name!: string;
}

export class PairedDeviceAnswer {
  @Field({ description: 'Key id of the device; it proves itself as an API key does.' })
  api_key!: string;

  @Field({ description: 'Its secret, which is answered only now.' })
  api_secret!: string;

  @Uuid({ description: 'The one point of sale that the device acts on.' })
  point_of_sale_id!: string;
}

export function presentDevice({ credential, secret }: Issued): PairedDeviceAnswer {
  return {
    api_key: credential.keyId,
    api_secret: secret,
    point_of_sale_id: credential.pairing!.pointOfSaleId,
  };
}

export function presentSubject({ pointId, pointName, ...names }: PairingSubject): PairingSubjectAnswer {
  return answer(PairingSubjectAnswer, names, {
    point_of_sale_id: pointId,
    point_of_sale_name: pointName ?? undefined,
  });
}
