// What differs between the releases that can be started: 2.19.6 for the tests, the others for trying Weir on them.
import { Failure } from './say.mjs';

/** 3.x takes a description where earlier ones take the class. */
const DESCRIBED_PLUGIN = `new org.opensearch.plugins.PluginInfo("transport-netty4", "", "", org.opensearch.Version.CURRENT, "21",
            "org.opensearch.transport.Netty4ModulePlugin", List.of(), false)`;

/** Defaults, and what each release has of its own. */
const COMMON = {
  family: 'opensearch',
  /** Replaced in the launcher's source, which is written for 2.x. */
  swaps: [],
  flags: [],
  /** The word for a cluster manager in roles and settings. */
  manager: 'cluster_manager',
};
const RELEASES = {
  '2.19.6': { log4j: '2.25.4' },
  '3.9.0': {
    log4j: '2.25.5',
    swaps: [
      ['import org.opensearch.transport.Netty4Plugin;\n', ''],
      ['Netty4Plugin.class', DESCRIBED_PLUGIN],
    ],
    flags: ['--enable-native-access=ALL-UNNAMED'],
  },
  '1.3.20': { log4j: '2.17.1', manager: 'master' },
  'elasticsearch-7.10.2': {
    family: 'elasticsearch',
    log4j: '2.11.1',
    swaps: [['org.opensearch', 'org.elasticsearch']],
    manager: 'master',
  },
};

/** The one that is started where nothing names another. */
export const chosenRelease = process.env.OPENSEARCH_RELEASE ?? '2.19.6';

export function releaseOf(name) {
  const release = RELEASES[name];
  if (release === undefined)
    throw new Failure(`release [${name}] is not known, only ${Object.keys(RELEASES).join(', ')}`);
  return { ...COMMON, version: name.replace('elasticsearch-', ''), ...release };
}
