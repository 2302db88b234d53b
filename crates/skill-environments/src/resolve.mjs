// Resolves packages that are not beside a module from NODE_PATH, as require() does.
import { register } from 'node:module';

const hooks = `
import { delimiter } from 'node:path';
import { pathToFileURL } from 'node:url';

const places = (process.env.NODE_PATH ?? '').split(delimiter).filter(Boolean);

export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || /^[./#]|^[a-z]+:/i.test(specifier)) throw error;
    for (const place of places) {
      const parentURL = pathToFileURL(place + '/resolve.mjs').href;
      try {
        return await next(specifier, { ...context, parentURL });
      } catch {
        // The first error names the module that asked.
      }
    }
    throw error;
  }
}
`;
register('data:text/javascript,' + encodeURIComponent(hooks));
