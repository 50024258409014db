import { Count, Field, Time } from '#shared/platform/http/answers/answer.js';
import type { ReadingShown } from '#contexts/payments/application/explanation/explanation-view.js';

/** How far this service has read a network. */
export class NetworkReadingDto {
  @Field({ example: 'erc20' })
  network!: string;

  @Field({
    required: false,
    type: 'integer',
    description: 'The newest block that was read; absent where none was.',
  })
  read_to_block?: number;

  @Time({ required: false, description: 'That block’s timestamp.' })
  read_to_time?: string;

  @Field({ required: false, type: 'integer', description: 'The newest block that can no longer disappear.' })
  final_block?: number;

  @Time({ required: false, description: 'That block’s timestamp.' })
  final_time?: string;

  @Count({ required: false, description: 'How old the newest block read is, in seconds.' })
  behind_seconds?: number;

  @Field({ description: 'It is not read at present, or is so far behind that it takes no new requests.' })
  is_behind!: boolean;

  @Time({
    required: false,
    description:
      'Since when two sources of the network have told different things; nothing becomes final meanwhile.',
  })
  disagrees_since?: string;
}

export function presentReading({ network, read, ...reading }: ReadingShown): NetworkReadingDto {
  return {
    network,
    read_to_block: read?.toBlock,
    read_to_time: read?.toTime.toISOString(),
    final_block: read?.final?.block,
    final_time: read?.final?.time.toISOString(),
    behind_seconds: reading.behindSeconds,
    is_behind: reading.isBehind,
    disagrees_since: read?.disagreesSince?.toISOString(),
  };
}
