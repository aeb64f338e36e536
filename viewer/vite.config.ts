import { defineConfig } from "vitest/config";

// One script and one style sheet, without imports: scripts/embed.mjs puts them into the binary, and
// every page that the binary writes holds them inline.
export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    target: "es2020",
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: 1 << 30,
    rollupOptions: {
      input: "src/main.tsx",
      output: {
        format: "iife",
        entryFileNames: "viewer.js",
        assetFileNames: "viewer[extname]",
      },
    },
  },
  server: { fs: { allow: [".."] } },
  test: { include: ["src/**/*.test.ts", "src/**/*.test.tsx"], environment: "node" },
});
