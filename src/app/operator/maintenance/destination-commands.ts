import { EventDestinationsSettings } from '#contexts/webhooks/domain/destinations/event-destination.js';
import {
  MAX_COUNTED_EVENTS,
  PostgresEventDestinations,
  type ReplayStart,
} from '#contexts/webhooks/infrastructure/destinations/postgres-event-destinations.js';
import { parseTimeSince2000 } from '#shared/kernel/instant.js';
import { selectFields } from '../command-result.js';
import { type CommandArguments, type ServiceCommand, UsageError } from '../command.js';

export const eventDestinationCommands: ServiceCommand[] = [
  {
    words: 'destinations status',
    about: 'Show how far events were published to each destination, and the error that stops it.',
    example: '',
    failsIf: 'a destination fails',
    async run(context) {
      const configured = new Set(context.get(EventDestinationsSettings).destinations.map(({ name }) => name));
      const found = await context.get(PostgresEventDestinations).status();
      const destinations = found.map((each) => ({
        ...selectFields(each, 'name', 'number', 'behind', 'behindSeconds', 'movedAt'),
        ...selectFields(each, 'failure', 'reason', 'failingSince', 'refusedEventId'),
        in_settings: configured.has(each.name),
        ...selectFields(each, 'configuredAt'),
      }));
      const isFailing = found.some(({ name, failure }) => configured.has(name) && failure !== null);
      return {
        data: { destinations },
        note: `"behind" is counted up to ${MAX_COUNTED_EVENTS.toLocaleString('en')} events.`,
        exitCode: isFailing ? 1 : 0,
      };
    },
  },
  {
    words: 'destinations replay',
    about: 'Publish events to a destination again with the same ids, starting at an event or a time.',
    changes: {
      what: 'the checkpoint of a destination',
      irreversible: 'Published events cannot be recalled. Consumers recognize repeated events by their ids.',
      audited: 'with it',
      async preview(context, args) {
        const name = args.text('destination');
        const { events } = await context
          .get(PostgresEventDestinations)
          .previewReplay(name, parseReplayStart(args));
        return {
          effect: `${events.toLocaleString('en')} events will be published to ${name} again.`,
          confirmedBy: name,
        };
      },
    },
    example: 'warehouse --from-time 2030-01-31T12:00:00Z',
    arguments: { destination: 'name of the destination, from destinations status' },
    options: {
      'from-event': { value: 'id', about: 'first event to publish again' },
      'from-time': {
        value: 'time',
        about: 'publish the events since this time (ISO 8601); may start up to an hour earlier',
      },
    },
    async run(context, args) {
      const replayed = await context
        .get(PostgresEventDestinations)
        .replay(args.text('destination'), parseReplayStart(args));
      return { data: selectFields(replayed, 'number', 'events') };
    },
  },
];

function parseReplayStart(args: CommandArguments): ReplayStart {
  const [eventId, time] = [args.optionalId<string>('from-event'), args.optional('from-time')];
  if ((eventId === undefined) === (time === undefined))
    throw new UsageError('Pass either --from-event or --from-time.');
  if (eventId !== undefined) return { eventId };
  const at = parseTimeSince2000(time!);
  if (at === undefined)
    throw new UsageError(
      'from-time must be an ISO 8601 time with Z or an offset, such as 2030-01-31T12:00:00Z.',
    );
  return { time: at };
}
