// Says for tests and benchmarks what a real OpenSearch needs and this machine lacks: a JSON list, empty where it can be started.
import { missingForOpenSearch } from './lib/opensearch-jars.mjs';

console.log(JSON.stringify(missingForOpenSearch()));
