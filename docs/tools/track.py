#!/usr/bin/env python3
"""Logs the finished cells of a batch to MLflow or to Weights & Biases, a run for each cell.

usage: track.py DIRECTORY [--to print|mlflow|wandb] [--project NAME]

DIRECTORY is that of the batch. `print` shows what would be logged. The trackers are Python packages of those names.
"""
import argparse
import json
import pathlib

PARAMETERS = ("condition", "seed", "actor", "model", "simulated", "world", "terrain")


def parts(cell):
    """The parameters of a cell, and its figures."""
    parameters = {key: cell[key] for key in PARAMETERS}
    figures = {key: float(value) for key, value in cell.items() if isinstance(value, (bool, int, float))}
    figures |= {f"steps to {name}": float(step) for name, step in cell["subgoals"] if step is not None}
    return parameters, {key: value for key, value in figures.items() if key not in parameters}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--to", choices=["print", "mlflow", "wandb"], default="print")
    parser.add_argument("--project", default="ltlcrit")
    arguments = parser.parse_args()
    with open(arguments.directory / "results.jsonl", encoding="utf-8") as lines:
        cells = [parts(json.loads(line)) for line in lines]
    for parameters, figures in cells:
        name = f"{parameters['condition']}, seed {parameters['seed']}"
        if arguments.to == "mlflow":
            import mlflow

            mlflow.set_experiment(arguments.project)
            with mlflow.start_run(run_name=name):
                mlflow.log_params(parameters)
                mlflow.log_metrics(figures)
        elif arguments.to == "wandb":
            import wandb

            with wandb.init(project=arguments.project, group=parameters["condition"], name=name, config=parameters) as run:
                run.log(figures)
        else:
            print(json.dumps({"run": name, "parameters": parameters, "figures": figures}))


if __name__ == "__main__":
    main()
