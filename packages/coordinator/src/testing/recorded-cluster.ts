// What an OpenSearch 2.19.6 of two nodes answered to the requests that routing is made from; recorded, not written.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClusterPicture, clusterPicture } from '../opensearch/cluster-picture.ts';
import { aliasesSchema, clusterStateSchema, nodesHttpSchema } from '../opensearch/cluster-state.ts';

/** JSON of any form: it is what the schemas are there for. */
export type Answers = { state: Json; aliases: Json; nodes_http: Json };
type Json = { [key: string]: Json };

export const N1 = 'ynZJsWDJTXixtA8AVoVKIw';
export const N2 = 'coPNn5IhQdeXfLtIiAy5CQ';

/** A copy of the answers, for tests to change. Tests run in the repository's root. */
export function recordedAnswers(): Answers {
  return JSON.parse(
    readFileSync(join(process.cwd(), 'packages/coordinator/src/testing/recorded-cluster.json'), 'utf8'),
  );
}

/** The picture of answers, as it is read from the wire. */
export function pictureOf({ state, aliases, nodes_http }: Answers): ClusterPicture {
  return clusterPicture(
    clusterStateSchema.parse(state),
    aliasesSchema.parse(aliases),
    nodesHttpSchema.parse(nodes_http),
  );
}
