// Manifests from the input as TypeScript, for its compiler to check names and types: README.md beside it.
const { loadAll } = require('js-yaml');
loadAll(require('fs').readFileSync(0, 'utf8')).forEach((object, i) => {
  const group = object.apiVersion.includes('/') ? object.apiVersion.replace('.k8s.io', '') : 'core/' + object.apiVersion;
  console.log(`import { ${object.kind} as Kind${i} } from 'kubernetes-types/${group}';`);
  console.log(`export const it${i}: Kind${i} = ${JSON.stringify(object)};`);
});
