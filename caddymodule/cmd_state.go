package caddymodule

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"
)

func stateCommand() caddycmd.Command {
	return caddycmd.Command{
		Name:  "state",
		Usage: "<command>",
		Short: "Backs up and restores what is stored",
		Long: `
Backs up and restores baskets, orders, agents and first answers, also from one kind
of state to another.

What is secret in a backup is encrypted with a key in Caddy's storage, under
storeware/keys: without that key nobody can use it. Back up Caddy's storage as well.
`,
		CobraFunc: func(cmd *cobra.Command) {
			adminFlags(cmd, "turn admin on, if only at a socket (admin unix//run/caddy.sock), or stop Caddy and copy the file that is its state")
			cmd.AddCommand(stateBackupCommand(), stateRestoreCommand())
		},
	}
}

func stateBackupCommand() *cobra.Command {
	return subcommand("backup <file>", "Writes all that is stored to a file", `
Writes all that is stored to a file that must not exist yet, or to standard output
if the file is "-". Caddy goes on serving meanwhile.
`, cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		response, err := callAdmin(cmd, http.MethodGet, "/storeware/state/backup", nil, nil)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		var size int64
		if args[0] == "-" {
			size, err = io.Copy(cmd.OutOrStdout(), response.Body)
		} else {
			size, err = writeNew(args[0], response.Body)
		}
		if err != nil {
			return fmt.Errorf("writing the backup: %w", err)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%d bytes written.\n", size)
		return nil
	})
}

// writeNew writes a file that is not there yet. A file that could not be written
// as a whole is removed.
func writeNew(path string, content io.Reader) (size int64, err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return 0, fmt.Errorf("%s is there already and is not written over: name another file, or remove this one first", path)
	}
	if err != nil {
		return 0, err
	}
	size, err = io.Copy(file, content)
	if err = errors.Join(err, file.Close()); err != nil {
		err = errors.Join(err, os.Remove(path))
	}
	return size, err
}

func stateRestoreCommand() *cobra.Command {
	cmd := subcommand("restore <file> [--replace]", "Puts back what backup has written", `
Reads a backup from a file, or from standard input if the file is "-", into the
state of the Caddy that is running. Agents are asked to come back meanwhile.

A state that is not empty is left alone, unless --replace is given: then all that
it holds is removed first.
`, cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		replace, err := cmd.Flags().GetBool("replace")
		if err != nil {
			return err
		}
		in := cmd.InOrStdin()
		if args[0] != "-" {
			file, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			in = file
		}
		uri := "/storeware/state/restore"
		if replace {
			uri += "?replace=true"
		}
		header := http.Header{"Content-Type": {"application/octet-stream"}}
		response, err := callAdmin(cmd, http.MethodPost, uri, header, in)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		fmt.Fprintln(cmd.ErrOrStderr(), "Restored.")
		return nil
	})
	cmd.Flags().Bool("replace", false, "Remove what the state holds first")
	return cmd
}
