// Each rule of deploy/prometheus/alerts.yml fired by its fault, by a real Prometheus: `npm run rehearse -- alerts`. Names
// of rules may follow, without the prefix: then the scenes of these alone are played.
import { readFileSync } from 'node:fs';
import { pause } from './alerts/fault.js';
import { Load } from './alerts/load.js';
import { playScene, type FiredRule } from './alerts/play-scene.js';
import { checkDeliveredFiles, Prometheus } from './alerts/prometheus.js';
import { demandFaultOfEach, SCENES, scenesOf } from './alerts/scenes.js';
import { FACTOR, longestWait, namesOfRules, RULES_FILE } from './alerts/shortened-rules.js';
import { WatchedWorld } from './alerts/watched-world.js';
import { Rehearsal } from './rehearsal.js';

await Rehearsal.run(async (rehearsal) => {
  const rules = namesOfRules();
  demandFaultOfEach(rules);
  const asked = process.argv.slice(2).map((name) => `PaymentCollection${name}`);
  const scenes = asked.length === 0 ? SCENES : scenesOf(asked);
  rehearsal.step(`promtool takes the delivered files: ${checkDeliveredFiles()}, and each has its fault.`);

  const world = await WatchedWorld.start(rehearsal);
  const prometheus = await Prometheus.start(rehearsal, world.targets);
  rehearsal.step(
    `API, worker, PostgreSQL, a chain behind two endpoints and Prometheus run; its durations are divided by ${FACTOR}.`,
  );

  const load = new Load(world);
  const endLoad = load.start();
  const healthyMs = longestWait(readFileSync(RULES_FILE, 'utf8')) / FACTOR;
  const until = performance.now() + healthyMs;
  while (performance.now() < until) {
    const firing = (await prometheus.alerts()).filter(({ state }) => state === 'firing');
    rehearsal.demand(firing.length === 0, `nothing fires in a healthy service: ${JSON.stringify(firing)}`);
    await pause(200);
  }
  rehearsal.demand(load.failures.length === 0, `no request fails: ${load.failures.join('; ')}`);
  rehearsal.step(`Nothing fires for ${healthyMs / 1_000} s, and none of ${load.begun} requests fails.`);

  const fired: FiredRule[] = [];
  for (const faults of scenes) {
    for (const { what } of faults) rehearsal.step(what);
    const scene = await playScene({ prometheus, world }, faults);
    for (const { rule, seconds, summary } of scene.fired)
      print(`${rule} after ${seconds.toFixed(0)} s: “${summary}”`);
    if (scene.consequences.length > 0) print(`Consequences that fired: ${scene.consequences.join(', ')}`);
    fired.push(...scene.fired);
  }
  await endLoad();
  const played = scenes.flat().flatMap(({ fires }) => fires);
  rehearsal.demand(fired.length === played.length, `${played.length} rules fired, not ${fired.length}`);
  rehearsal.step(
    `${fired.length} of ${rules.length} rules fired, each by its fault, and resolved after its end.`,
  );
});

function print(line: string): void {
  process.stdout.write(`    ${line}\n`);
}
