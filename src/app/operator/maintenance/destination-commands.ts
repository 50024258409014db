import { EventDestinationsSettings } from '#contexts/webhooks/application/destinations/event-destinations-settings.js';
import {
  COUNTED,
  PostgresDestinations,
  type ReplayStart,
} from '#contexts/webhooks/infrastructure/destinations/persistence/postgres-destinations.js';
import { readInstant } from '#shared/kernel/instant.js';
import { columns } from '../answer.js';
import { type CommandArguments, type ServiceCommand, UsageError } from '../command.js';

export const destinationCommands: ServiceCommand[] = [
  {
    words: 'destinations status',
    about:
      'Show how far each broker that follows the events of all merchants is, and what keeps it from the next one.',
    example: '',
    failsIf: 'a destination fails',
    async run(context) {
      const configured = new Set(context.get(EventDestinationsSettings).destinations.map(({ name }) => name));
      const found = await context.get(PostgresDestinations).status();
      const destinations = found.map((each) => ({
        ...columns(each, 'name', 'number', 'behind', 'behindSeconds', 'movedAt'),
        ...columns(each, 'failure', 'reason', 'failingSince', 'refusedEventId'),
        in_settings: configured.has(each.name),
        ...columns(each, 'configuredAt'),
      }));
      const isFailing = found.some(({ name, failure }) => configured.has(name) && failure !== null);
      return {
        data: { destinations },
        note: `No more than ${COUNTED.toLocaleString('en')} events are counted as behind.`,
        exitCode: isFailing ? 1 : 0,
      };
    },
  },
  {
    words: 'destinations replay',
    about: 'Publish events to a broker again, from one of them or from a time on, under the same ids.',
    changes: {
      what: 'the position of a destination',
      irreversible: 'What was published again stays published: its readers tell it by the ids of the events.',
      audited: 'with it',
      async preview(context, args) {
        const name = args.text('destination');
        const { events } = await context.get(PostgresDestinations).replayFrom(name, startOf(args));
        return {
          effect: `${events.toLocaleString('en')} events will be published to ${name} again.`,
          confirmedBy: name,
        };
      },
    },
    example: 'warehouse --from-time 2030-01-31T12:00:00Z',
    arguments: { destination: 'its name, as destinations status shows it' },
    options: {
      'from-event': { value: 'id', about: 'the first event that is published again' },
      'from-time': {
        value: 'time',
        about: 'publish again what happened from then on, and some of the hour before, ISO 8601',
      },
    },
    async run(context, args) {
      const replayed = await context
        .get(PostgresDestinations)
        .replay(args.text('destination'), startOf(args));
      return { data: columns(replayed, 'number', 'events') };
    },
  },
];

function startOf(args: CommandArguments): ReplayStart {
  const [eventId, time] = [args.optionalId<string>('from-event'), args.optional('from-time')];
  if ((eventId === undefined) === (time === undefined))
    throw new UsageError('Either --from-event or --from-time says where the replay begins.');
  if (eventId !== undefined) return { eventId };
  const at = readInstant(time!);
  if (at === undefined)
    throw new UsageError(
      'from-time must be a time in ISO 8601 with Z or an offset, like 2030-01-31T12:00:00Z.',
    );
  return { time: at };
}
