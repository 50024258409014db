import { Field, Uuid } from '#shared/platform/http/answers/answer.js';
import { Text } from '#shared/platform/http/validation/field-rules.js';
import type { Issued } from '#contexts/identity/application/credentials/issue-credential.js';
import { MAX_KEY_NAME_LENGTH } from '#contexts/identity/domain/credentials/credential.js';

export class PairDeviceBody {
  @Text({
    max: 32,
    description: 'The code that the dashboard shows, in capitals or not, with or without spaces and hyphens.',
    example: 'K7QF2MXA',
  })
  code!: string;

  @Text({
    max: MAX_KEY_NAME_LENGTH,
    description: 'People know the device by it, in the list of tills.',
    example: 'Phone at the bar',
  })
  device_name!: string;
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
