import { contractFor } from '../../../openapi/contract/contract-for.ts';
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import { loadOpenPoints, loadOwnYaml } from '../../../openapi/contract/load.ts';
import { defaultProfile } from '../../../openapi/contract/profile.ts';
import { loadFaultSchemas } from '../faults/parse-fault.ts';

/** The control plane's own OpenAPI document. What a path may be is taken from the contract, what a fault may be from its own schema. */
export function loadControlDocument(): ContractDocument {
  const document = loadOwnYaml(new URL('control-plane.yaml', import.meta.url)) as ContractDocument;
  // A state may hold whatever any profile lets in.
  const played = contractFor({ ...defaultProfile(loadOpenPoints()), pathLineBreaks: 'accepted' });
  const schemas = document.components?.schemas ?? {};
  Object.assign(schemas, loadFaultSchemas());
  schemas.FilePath = played.components?.schemas?.DrivePath ?? {};
  return document;
}
